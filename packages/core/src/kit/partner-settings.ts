import type { LimitRule } from '../access/tokens/rate-limiter.ts';
import type { DurationMs } from '../base/runtime/time.ts';
import type { SignatureScheme } from '../webhooks/signature/signature-scheme.ts';

/**
 * The settings in force, defaults included, on which partners depend: their handbook is written from them.
 * @internal
 */
export interface PartnerSettings {
  /** Scheme and host of the partner API. `undefined`: the kit does not know them. */
  readonly origin: string | undefined;
  /** Path prefix of the partner API. */
  readonly basePath: string;
  /** Lifetime of an access token. */
  readonly tokenLifetime: DurationMs;
  /** Requests beyond a limit get 429. `undefined`: no limit. */
  readonly limits: {
    /** Failed logins of one client from one address. */
    readonly failedLogins: LimitRule;
    readonly logins: LimitRule | undefined;
    readonly calls: LimitRule | undefined;
  };
  readonly webhooks: {
    /** The signatures of endpoints without a profile. */
    readonly signatures: readonly SignatureScheme[];
    /** Maximum number of endpoints of an account. */
    readonly maxEndpoints: number;
    /** Maximum size of a body, in bytes. */
    readonly maxBodyBytes: number;
    /** Maximum time from DNS lookup to response headers. */
    readonly deadline: DurationMs;
    /** The delay after each failed attempt. */
    readonly retries: readonly DurationMs[];
    /** Maximum effect of `Retry-After`. */
    readonly maxRetryAfter: DurationMs;
    /** Consecutive failed attempts that pause an endpoint. */
    readonly failuresToPause: number;
    /** The pauses of an endpoint that fails. The last entry repeats. */
    readonly pauses: readonly DurationMs[];
    /** When an endpoint that fails is disabled. */
    readonly disableAfter: { readonly failing: DurationMs; readonly failures: number };
    /** How long held deliveries are stored. */
    readonly heldFor: DurationMs;
    /** How long events are stored. */
    readonly storedFor: DurationMs;
  };
}

/** The same key in each copy of core, as that of the internals is. */
const key = Symbol.for('@partnerkit/core/partner-settings');

/** The kit with its settings; a copy by spread has them too. */
export const withPartnerSettings = <K extends object>(kit: K, settings: PartnerSettings): K => ({
  ...kit,
  [key]: settings,
});

/** The settings of a kit; `undefined` for an object that `createPartnerkit` did not make. @internal */
export const partnerSettingsOf = (kit: unknown): PartnerSettings | undefined =>
  typeof kit === 'object' && kit !== null ? (kit as { readonly [key]?: PartnerSettings })[key] : undefined;
