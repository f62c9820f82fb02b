import { sha256 } from '../../base/crypto/sha256.ts';
import { createCache } from '../../base/runtime/cache.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { createGate } from '../../base/runtime/gate.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import type { PortLimit } from '../../base/runtime/port-limit.ts';
import { type EpochMs, type EpochSeconds, maxClockLead, second, toSeconds } from '../../base/runtime/time.ts';

/**
 * Verifies client secrets that another system issued. Asked only for secrets that are not of partnerkit's form.
 * @public
 */
export interface LegacySecrets {
  /**
   * Whether a secret is that of a client.
   *
   * - Called for every such secret, also of clients that do not exist: do equal work for them, or the time of an answer
   *   reveals who is a client.
   * - Not called beyond `limits.failedLogins`, and at most four times at once in a process.
   * - Only an imported client with a secret `legacy` can log in by it, and only `true` lets it in.
   * - Hashes asynchronously: a synchronous bcrypt or scrypt stops every other request of the process.
   * - Rejects when it cannot decide.
   */
  verify(clientId: string, secret: string): Promise<boolean>;
  /**
   * Whether to store the SHA-256 of a secret that was verified, so that it is not asked again. Only for random secrets
   * of at least 128 bits: a stolen SHA-256 of a guessable one can be searched. @defaultValue false
   */
  readonly storeDigest?: boolean;
}

/** As many slow hashes run beside each other in Node.js. */
const maxVerifying = 4;
/** Logins that wait for others. A login beyond that is refused with 503. */
const maxWaiting = 100;
/** How long a verified secret counts for logins that came with it, and were beyond the limits until its refund. */
const countsFor = second;
const maxVerified = 1_000;

/** Verifies secrets by `imported.legacySecrets`. */
export interface LegacyCheck {
  /**
   * Whether a secret is that of a client. `mayAsk`: the limits of failed logins allow a call; else only a call for the
   * same pair counts that runs, or said yes in the last second. So a partner who starts many processes at once is not
   * refused, however fast the answer was.
   */
  verify(clientId: string, secret: string, mayAsk: boolean): Promise<boolean>;
  readonly storeDigest: boolean;
}

/** Limits the time of `legacySecrets.verify`, and how many of its calls run at once. */
export const checkLegacySecrets = (given: LegacySecrets, limit: PortLimit, clock: Clock): LegacyCheck => {
  const { verify } = limit.of('legacySecrets', given, { verify: 'read' });
  const gate = createGate(maxVerifying, maxWaiting, () => new Error('legacySecrets: too many logins wait for it.'));
  const running = new Map<string, Promise<boolean>>();
  const verifiedAt = createCache<EpochMs>(maxVerified);
  const wasVerified = (key: string): boolean => Math.abs(clock.now() - (verifiedAt.get(key) ?? -Infinity)) < countsFor;
  const ask = async (key: string, clientId: string, secret: string): Promise<boolean> => {
    try {
      const isRight = (await gate(() => verify(clientId, secret))) === true;
      if (isRight) verifiedAt.set(key, clock.now());
      return isRight;
    } finally {
      running.delete(key);
    }
  };
  return {
    verify: async (clientId, secret, mayAsk) => {
      // No id of a client has a line feed.
      const key = sha256(`${clientId}\n${secret}`);
      const found = running.get(key) ?? (mayAsk ? ask(key, clientId, secret) : undefined);
      if (found) running.set(key, found);
      return found ?? wasVerified(key);
    },
    storeDigest: given.storeDigest ?? false,
  };
};

/**
 * The claims of an access token that another system issued.
 * @public
 */
export interface LegacyTokenClaims {
  /** The imported client. Its account is that of the token. */
  readonly clientId: string;
  /**
   * When it was issued, in seconds since 1970; revoked by `clients.revokeTokens`. More than a minute ahead of the
   * clock: the token is refused.
   */
  readonly issuedAt: EpochSeconds;
  /** When it expires, in seconds since 1970. A time in milliseconds is an error: 503. */
  readonly expiresAt: EpochSeconds;
  /** The environment of its account when it was issued. @defaultValue it is not compared */
  readonly environment?: string;
  /** Unique id of the token. @defaultValue the SHA-256 of the token */
  readonly jti?: string;
}

/**
 * Verifies access tokens that another system issued, for a changeover. Expiry, client, revocation, environment and
 * reach are checked as for other tokens.
 * @public
 */
export interface LegacyTokens {
  /**
   * Verifies a token.
   *
   * - Returns the claims of a genuine token, and `undefined` for any other text.
   * - Asked at each request with a token that is not of partnerkit; cache what is expensive.
   * - Rejects only when it cannot decide.
   */
  verify(token: string): Promise<LegacyTokenClaims | undefined>;
}

/** Seconds are below it until the year 5138, and milliseconds above it since 1973. */
const maxSeconds = 100_000_000_000;

/** Checks what `legacyTokens.verify` returns. A token that was issued ahead of the clock would outlive a revocation. */
export const checkLegacyTokens = ({ verify }: LegacyTokens, clock: Clock): LegacyTokens => ({
  verify: async (token) => {
    const claims = await verify(token);
    if (!claims) return undefined;
    if (!isObject(claims))
      throw new TypeError('legacyTokens.verify: return the claims, { clientId, issuedAt, expiresAt }, or undefined.');
    for (const name of ['issuedAt', 'expiresAt'] as const)
      if (claims[name] > maxSeconds)
        throw new TypeError(`legacyTokens.verify: ${name} is in seconds, not milliseconds.`);
    return claims.issuedAt <= toSeconds(clock.now() + maxClockLead) ? claims : undefined;
  },
});
