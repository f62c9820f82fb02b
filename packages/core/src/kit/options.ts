import type { ClientChangeFeed } from '../access/clients/client-change-feed.ts';
import type { AccessTokens } from '../access/tokens/access-tokens.ts';
import type { LoginLimits } from '../access/tokens/authenticate.ts';
import type { LegacySecrets, LegacyTokens } from '../access/tokens/legacy.ts';
import type { LimitRule, RateLimiter } from '../access/tokens/rate-limiter.ts';
import type { TokenKeys } from '../access/tokens/token-keys.ts';
import type { CreationLimits } from '../api/management/limits.ts';
import type { InactiveChildren } from '../api/partner/caller.ts';
import type { MetadataOptions } from '../api/partner/metadata.ts';
import type { PathAliases } from '../api/partner/routes.ts';
import type { Account, AccountDirectory } from '../base/accounts/account.ts';
import type { EnvironmentReach } from '../base/accounts/reach.ts';
import type { SealingKey } from '../base/crypto/seal.ts';
import type { Clock } from '../base/runtime/clock.ts';
import type { Random } from '../base/runtime/random.ts';
import type { DurationMs } from '../base/runtime/time.ts';
import type { ErrorListener, Observer } from '../base/signals/listener.ts';
import type { Storage } from '../stores/storage/storage.ts';
import type { ObjectDefinition } from '../webhooks/catalogue/define-object.ts';
import type { Sender } from '../webhooks/deliveries/sender.ts';
import type { DeliveryPolicy } from '../webhooks/delivery-rules/delivery-policy.ts';
import type { WireProfile } from '../webhooks/signature/wire-profile.ts';
import type { Retention } from '../webhooks/worker/context/retention.ts';
import type { Secret } from './secret.ts';

/**
 * Receives signals, and gives the trace context of published events, such as `openTelemetry()`.
 * @public
 */
export interface Observability {
  /** Receives every signal; an error that it throws is ignored. @defaultValue none */
  readonly observe?: Observer | undefined;
  /**
   * Returns the current trace context: 1 to 512 visible ASCII characters, such as a `traceparent` (W3C Trace Context).
   * Called once for each event, inside the call to publish; an error that it throws is ignored. Signals about the event
   * carry it, in other processes too. It is never sent to a partner. @defaultValue none
   */
  readonly traceContext?: (() => string | undefined) | undefined;
}

/**
 * Options of `createPartnerkit`: one adapter for each port, the objects that the platform publishes, and its settings.
 * @public
 */
export interface PartnerkitOptions<Tx extends object, D extends readonly ObjectDefinition[]> {
  /** The platform's organisations. */
  readonly accounts: AccountDirectory;
  /** Clients, endpoints, events and deliveries: `postgresStorage(pool)`, or `memoryStorage()` in tests. */
  readonly storage: Storage<Tx>;
  /**
   * 32 random bytes, stored outside the database and different in each environment. Two kinds of keys are derived from
   * it (HKDF-SHA-256) and never stored: those that encrypt webhook secrets and values of delivery headers at rest
   * (AES-256-GCM), and those that sign access tokens (ES256). Of a list, the first is in use; every secret opens and
   * verifies.
   *
   * To rotate: add the new secret at the end, deploy it to every process, then move it to the front. Run
   * `endpoints.reseal`, and remove the old secret when the last token that it signed has expired.
   * @defaultValue none: `tokens` and `advanced.sealingKeys` are given
   */
  readonly secret?: Secret | readonly Secret[] | undefined;
  /**
   * Scheme and host of the partner API, such as `https://api.platform.example`: `iss` and `aud` of access tokens. Of a
   * list, the first is in use; tokens of every origin verify, so a new domain ends no token. Needed when `tokens` is a
   * function.
   */
  readonly origin?: string | readonly string[];
  /**
   * Issues and verifies access tokens: an adapter such as `jwtAccessTokens` of `@partnerkit/node`, or a function that
   * makes one of the keys that `secret` gives. Keys of your own can follow those keys:
   * `(own) => make({ ...own, keys: [...own.keys, old] })`.
   */
  readonly tokens: AccessTokens | ((keys: TokenKeys) => AccessTokens);
  /** Sends deliveries, such as `httpsSender()` of `@partnerkit/node`. */
  readonly sender: Sender;
  /**
   * The object kinds that the platform publishes, made by `defineObject`; each `objectName` at most once. Their event
   * types are all that can be published and selected.
   */
  readonly objects: D;
  /** The partner API: its paths, who may call it, and which accounts a client reaches (specification §1.2, §1.3). */
  readonly api?: {
    /** Path prefix of the partner API. @defaultValue '/api/v1/partner' */
    readonly basePath?: `/${string}`;
    /**
     * Also serves every path, account routes included, below `/v1/partner`, and login at `/oauth/token` (specification
     * §4.2); or serves paths of your own, such as those of an API that partners call already.
     * @defaultValue false
     */
    readonly pathAliases?: boolean | PathAliases;
    /**
     * Whether an account may use the API. Checked for the client's own account at login (401) and at each call (403).
     * @defaultValue status === 'active'
     */
    readonly mayUseApi?: (account: Account) => boolean;
    /**
     * Which children a client can access and an endpoint can receive events of: those in the environment of its account
     * (`same`), or in any environment (`all`). Either way, a token ends when its own account changes environment.
     * @defaultValue 'same'
     */
    readonly environmentReach?: EnvironmentReach;
    /**
     * Whether a client can write in a child account that `mayUseApi` refuses. With `read_only`, account routes answer
     * 403 `account_not_active` to every method but GET and HEAD. @defaultValue 'writable'
     */
    readonly inactiveChildren?: InactiveChildren;
    /**
     * Also serves, below each account, what the management API has on webhook endpoints, events and deliveries, so that
     * partners manage their webhooks with an access token; and the events of pull endpoints (specification §6.1).
     * @defaultValue false
     */
    readonly webhooks?: boolean;
    /**
     * Parts of your own routes, such as `bookings`: API keys can then have the rights `bookings:read` and
     * `bookings:write`. Lower-case letters, digits and `_`. @defaultValue none
     */
    readonly rights?: readonly string[];
    /**
     * Whether the `remoteAddress` of requests is the address of the caller: no proxy stands before this process, or the
     * option `clientAddress` of the adapter reads what your proxy writes. API keys can then have `networks`; otherwise
     * such keys are refused everywhere. @defaultValue false
     */
    readonly trustRemoteAddress?: boolean;
  };
  /** Logins with client credentials, and what they issue (RFC 6749 §4.4). */
  readonly oauth?: {
    /** Lifetime of an access token, in milliseconds; at least 1 second. @defaultValue 30 days */
    readonly tokenLifetime?: DurationMs;
    /**
     * Maximum delay, in milliseconds, until a disabled or deleted client and a revoked secret or token are refused; 0
     * reads the store at each call. @defaultValue 1000
     */
    readonly revocationDelay?: DurationMs;
    /**
     * Versions of the signing key that `secret` gives; the first signs, every version verifies. To replace the signing
     * key alone, deploy `[1, 2]`, then `[2, 1]`, and `[2]` when the last token of version 1 has expired.
     * @defaultValue [1]
     */
    readonly signingKeyVersions?: readonly number[];
    /** The scope of a login that sends no `scope`. @defaultValue none: `scope` is required (specification §4.1) */
    readonly defaultScope?: 'USER';
    /**
     * Further values of `scope` that clients of an earlier API send. A login with them is granted `USER`, and the
     * response says so (RFC 6749 §5.1). @defaultValue none
     */
    readonly acceptedScopes?: readonly string[];
    /** Prefix of client secrets, for secret scanners: 1 to 16 letters and digits. @defaultValue 'pks' */
    readonly secretPrefix?: string;
    /**
     * Serves authorization server metadata (RFC 8414), by which clients and token validators find login and keys.
     * `true`: with the first `origin` as issuer. @defaultValue none
     */
    readonly metadata?: true | MetadataOptions;
  };
  /**
   * Limits of logins, calls and creations. Beyond a limit, requests get 429 with `Retry-After`; those of one client or
   * account also get `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
   */
  readonly limits?: Partial<CreationLimits> & {
    /** Limits of failed logins. @defaultValue those of {@link LoginLimits} */
    readonly failedLogins?: Partial<LoginLimits>;
    /** Successful logins of one client. @defaultValue no limit */
    readonly loginsPerClient?: LimitRule;
    /** Calls of one client with a valid token, whatever their response. @defaultValue no limit */
    readonly callsPerClient?: LimitRule;
  };
  /** Webhook endpoints, and the requests that they receive: those of endpoints without a profile of their own. */
  readonly webhooks?: WireProfile & {
    /**
     * Other ways in which requests can look, by name: 1 to 32 of `a-z 0-9 _ -`. An endpoint chooses one as its
     * `profile`. @defaultValue none
     */
    readonly profiles?: Readonly<Record<string, WireProfile>>;
    /** Maximum number of endpoints of an account. @defaultValue 20 */
    readonly maxEndpoints?: number;
    /** The ports that the URL of an endpoint can have. @defaultValue any */
    readonly ports?: readonly number[];
    /** `User-Agent` of deliveries. @defaultValue 'partnerkit' */
    readonly userAgent?: string;
    /**
     * How long held deliveries, events and attempts are stored; workers delete older ones.
     * @defaultValue held 14 days, events 30 days, attempts 30 days
     */
    readonly retention?: Partial<Retention>;
    /**
     * Retries, the timeout of an attempt, and when an endpoint that fails is disabled. Not of handlers.
     * @defaultValue 10 attempts in about three days, 15 seconds, 5 days of failures
     */
    readonly delivery?: Partial<DeliveryPolicy>;
  };
  /**
   * Receives every signal; an error that it throws is ignored. An object, such as `openTelemetry()`, can have a
   * `traceContext`, too. @defaultValue none
   */
  readonly observe?: Observer | Observability;
  /** Receives the errors behind signals, with message and stack; they may quote foreign text. @defaultValue none */
  readonly onError?: ErrorListener;
  /** What a platform brings from the system before: clients that can log in, secrets and tokens that it issued. */
  readonly imported?: {
    /**
     * Whether imported clients can log in: with ids and secrets of other forms. A secret of another form then costs a
     * read of the store. @defaultValue false
     */
    readonly clients?: boolean;
    /** Verifies secrets that only the system before can verify; needs `clients`. @defaultValue none */
    readonly legacySecrets?: LegacySecrets;
    /** Verifies access tokens that the system before issued. @defaultValue none */
    readonly legacyTokens?: LegacyTokens;
  };
  /** What several processes share. */
  readonly shared?: {
    /**
     * Counts logins and calls. While it fails, requests with a limit get 503. @defaultValue in memory, per process
     */
    readonly limiter?: RateLimiter;
    /**
     * Lets processes cache clients until a change is announced; `oauth.revocationDelay` still holds. Each process
     * that serves or changes these clients needs the same feed.
     * @defaultValue none: clients are read again after `oauth.revocationDelay`
     */
    readonly changeFeed?: ClientChangeFeed;
    /**
     * With `changeFeed`: maximum staleness when a change could not be announced, in milliseconds. That happens when a
     * process lost the feed, or when a change was made in the database, past partnerkit. @defaultValue 1 minute
     */
    readonly maxStaleness?: DurationMs;
  };
  /** What few hosts need, and what only tests replace. */
  readonly advanced?: {
    /**
     * Keys that encrypt webhook secrets and values of delivery headers at rest, in place of `secret` or beside it.
     * Every key opens. The key of the first `secret` seals; without `secret`, the first of these keys. A sealed value
     * is bound to account, endpoint and field; an API key also to URL origin and header name.
     *
     * A function receives the keys that `secret` gives, and returns all keys, of which the first seals:
     * `(own) => [old, ...own]`. To move to `secret`, deploy that, then `[old]`. Run `endpoints.reseal`, and remove the
     * option when `endpoints.countBySealingKey` no longer lists `old`.
     * @defaultValue none: `secret` is given
     */
    readonly sealingKeys?:
      | readonly [SealingKey, ...SealingKey[]]
      | ((own: readonly SealingKey[]) => readonly SealingKey[]);
    /**
     * Timeout of each call to a port, in milliseconds: `accounts`, `storage`, `tokens`, `limiter`, and `authorize` of
     * `managementRoutes`. A call that is given up is `unavailable` (HTTP 503), with a
     * `PortTimeout` as its cause; its transaction is rolled back. Workers and the sender have limits of their own.
     * @defaultValue 10000
     */
    readonly portTimeout?: DurationMs;
    /** Source of time, for tests. @defaultValue the system clock */
    readonly clock?: Clock;
    /** Source of randomness, for tests. @defaultValue the system's cryptographic generator */
    readonly random?: Random;
  };
}
