import type { Account, AccountDirectory } from './accounts/account.ts';
import type { EnvironmentReach } from './accounts/reach.ts';
import type { ObjectDefinition } from './catalogue/define-object.ts';
import type { SealingKey } from './crypto/seal.ts';
import type { Retention } from './deliveries/pruner.ts';
import type { Sender } from './deliveries/sender.ts';
import type { MetadataOptions } from './http/metadata.ts';
import type { Clock } from './runtime/clock.ts';
import type { Random } from './runtime/random.ts';
import type { DurationMs } from './runtime/time.ts';
import type { ErrorListener, Signal } from './signals/signal.ts';
import type { Storage } from './storage.ts';
import type { AccessTokens } from './tokens/access-tokens.ts';
import type { ApiLimits } from './tokens/api-limits.ts';
import type { InactiveChildren } from './tokens/caller.ts';
import type { ClientNews } from './tokens/client-news.ts';
import type { LoginLimits } from './tokens/grant.ts';
import type { RateLimiter } from './tokens/rate-limiter.ts';

/**
 * What `createPartnerkit` takes: the host's directory, one adapter for each port, and the objects it publishes.
 * @public
 */
export interface PartnerkitOptions<Tx extends object, D extends readonly ObjectDefinition[]> {
  readonly accounts: AccountDirectory;
  readonly storage: Storage<Tx>;
  readonly tokens: AccessTokens;
  readonly sender: Sender;
  /** Made by `defineObject`; each objectName once. */
  readonly objects: D;
  /**
   * The first seals webhook secrets and API-key values at rest (AES-256-GCM, bound to account, endpoint and field, an API key to URL origin
   * and header name too); all of them open. To rotate: add the new key at the end, wait until every process has it, move it to the front, and drop the old
   * one when nothing is sealed with it any more.
   */
  readonly sealingKeys: readonly [SealingKey, ...SealingKey[]];
  /** Where the partner API lives. @defaultValue '/api/v1/partner' */
  readonly basePath?: `/${string}`;
  /**
   * Serve everything below `basePath` below `/v1/partner` too, account routes included, and login at `/oauth/token`
   * (specification §4.2). The answers are the same. @defaultValue false
   */
  readonly pathAliases?: boolean;
  /**
   * Serve authorization server metadata (RFC 8414), so that clients and validators that are configured by issuer find login and keys.
   * @defaultValue none
   */
  readonly metadata?: MetadataOptions;
  /** Serve a login without `scope` as this one. @defaultValue none: `scope` is required (specification §4.1) */
  readonly defaultScope?: 'USER';
  /** May the client's own account use the API? Asked at login (401) and at each call (403). @defaultValue status === 'active' */
  readonly mayUseApi?: (account: Account) => boolean;
  /**
   * Which children a client reaches, and of which children an endpoint may receive the events: those in the environment
   * of its account, or those in all environments. In both cases a token ends when its own account changes its
   * environment. @defaultValue 'same'
   */
  readonly environmentReach?: EnvironmentReach;
  /**
   * May a client change something in a child account that `mayUseApi` refuses? With `'read_only'`, account routes answer
   * 403 `account_not_active` there to every method but GET and HEAD. @defaultValue 'writable'
   */
  readonly inactiveChildren?: InactiveChildren;
  /** How long an access token lives, in milliseconds. @defaultValue 30 days */
  readonly tokenLifetime?: DurationMs;
  /** How late a disabled client or a revoked secret may be refused, in milliseconds; 0 asks the store each time. @defaultValue 1000 */
  readonly revocationStaleness?: DurationMs;
  /**
   * Lets callers cost no read of the store while nothing changes: what was read of a client lasts until it is told that it changes,
   * and `revocationStaleness` still holds. Each process that serves or changes these clients needs the same news.
   * @defaultValue none: clients are read anew every `revocationStaleness`
   */
  readonly news?: ClientNews;
  /**
   * With `news`: how late a change may be heard of that could not be told, in milliseconds. Its process had lost the news, and not
   * found them again; or it was made past partnerkit, in the database. @defaultValue 1 minute
   */
  readonly untoldStaleness?: DurationMs;
  /** The first part of client secrets, for secret scanners: 1 to 16 letters and digits. @defaultValue 'pks' */
  readonly secretPrefix?: string;
  /** @defaultValue in memory, per process */
  readonly limiter?: RateLimiter;
  readonly loginLimits?: Partial<LoginLimits>;
  /** How often one client may log in and call, with credentials that are right. @defaultValue no limits */
  readonly apiLimits?: ApiLimits;
  /** How many webhook endpoints an account may have. @defaultValue 20 */
  readonly mostEndpoints?: number;
  /** The ports that a webhook URL may have. @defaultValue any */
  readonly endpointPorts?: readonly number[];
  /** How long deliveries are held, and events and attempts kept; workers drop what is older. */
  readonly retention?: Partial<Retention>;
  /** The `User-Agent` of deliveries. @defaultValue 'partnerkit' */
  readonly userAgent?: string;
  /** Receives every signal; what it throws is ignored. */
  readonly observe?: (signal: Signal) => void;
  /**
   * Names the trace that is being published in, as text: 1 to 512 visible ASCII characters, such as a `traceparent` (W3C Trace Context).
   * Asked once for each event, within the call to publish; signals about the event repeat it, weeks later and in other processes
   * too. What it throws is ignored. It never reaches a partner.
   */
  readonly traceContext?: () => string | undefined;
  /** Receives the errors behind signals, with messages and stacks: for a log that may hold foreign text. */
  readonly onError?: ErrorListener;
  readonly clock?: Clock;
  readonly random?: Random;
}
