import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { AccountDirectory } from './accounts/account.ts';
import type { SealingKey } from './crypto/seal.ts';
import type { SealingKeyCount } from './endpoints/endpoint-store.ts';
import type { Clock } from './runtime/clock.ts';
import { newId } from './runtime/id.ts';
import type { Random } from './runtime/random.ts';
import { type DurationMs, second } from './runtime/time.ts';
import { outcomeOf } from './runtime/unavailable.ts';
import { type ErrorListener, errorName } from './signals/signal.ts';
import type { Storage, StorageCheck } from './storage.ts';
import type { AccessTokens } from './tokens/access-tokens.ts';
import type { ClientNews } from './tokens/client-news.ts';
import type { RateLimiter } from './tokens/rate-limiter.ts';

/**
 * Something that keeps a kit from working.
 * @public
 */
export interface Finding {
  /** The option of `createPartnerkit` that it is about; `keys` are its `sealingKeys`. */
  readonly part: 'storage' | 'clock' | 'keys' | 'accounts' | 'tokens' | 'limiter' | 'news';
  /**
   * `unavailable`: it rejected, or did not answer within 5 seconds. `not_usable`: the store says what must be done first, such as to
   * migrate. `clock_skew`: this process and the store differ by more than 5 seconds. `wrong_answer`: it answered what cannot be right.
   * `missing_key`: stored endpoints are sealed with a key that is not in `sealingKeys`, so nothing can be sent to them.
   */
  readonly code: 'unavailable' | 'not_usable' | 'clock_skew' | 'wrong_answer' | 'missing_key';
  /** What is wrong and what to do. It quotes no error of foreign code. */
  readonly detail: string;
  /** What the port rejected with; `onError` got it too. */
  readonly cause?: unknown;
}

/**
 * Why a kit cannot work yet.
 * @public
 */
export interface NotReady {
  readonly code: 'not_ready';
  readonly findings: readonly [Finding, ...Finding[]];
  /** All findings as text, one a line: for a log. */
  readonly detail: string;
}

/**
 * Asks each port something harmless, and says what keeps a kit from working.
 * @public
 */
export type Check = () => ResultAsync<void, NotReady>;

/** @internal */
export interface CheckDeps<Tx extends object> {
  readonly storage: Storage<Tx>;
  readonly sealingKeys: readonly Pick<SealingKey, 'id'>[];
  readonly accounts: AccountDirectory;
  readonly tokens: AccessTokens;
  readonly limiter: RateLimiter;
  readonly news: ClientNews | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly tellError: ErrorListener;
}

const answerTimeout: DurationMs = 5 * second;
const maxSkew: DurationMs = 5 * second;

type Findings = readonly Finding[];
const none: Findings = [];

const unavailable = (part: Finding['part'], cause: unknown, remedy: string): Finding => {
  const { name, code } = errorName(cause);
  return { part, code: 'unavailable', detail: `did not answer (${code ?? name}): ${remedy}; see cause.`, cause };
};

const missingKey = ({ keyId, endpoints }: SealingKeyCount): Finding => ({
  part: 'keys',
  code: 'missing_key',
  detail:
    `${endpoints} ${endpoints === 1 ? 'endpoint needs' : 'endpoints need'} the sealing key ${JSON.stringify(keyId)}: ` +
    'add it at the end of sealingKeys. ' +
    'Before a key is removed, kit.endpoints.reseal() must have run until countBySealingKey() no longer lists it.',
});

/** @internal */
export const createCheck = <Tx extends object>(deps: CheckDeps<Tx>): Check => {
  const { storage, sealingKeys, accounts, tokens, limiter, news, clock, random, tellError } = deps;

  const inTime = async <T>(call: () => Promise<T>): Promise<Result<T, unknown>> => {
    const answered = new AbortController();
    const late = clock.sleep(answerTimeout, answered.signal).then(() => err(new Error('No answer within 5 seconds.')));
    const outcome = outcomeOf(call).then((result) => result.mapErr(({ cause }) => cause));
    return Promise.race([outcome, late]).finally(() => answered.abort('answered'));
  };

  /** Asks one port. It finds nothing, unless `judge` does or the port fails to answer in time. */
  const ask = async <T>(
    part: Finding['part'],
    remedy: string,
    call: () => Promise<T>,
    judge: (answer: T) => Findings = () => none,
  ): Promise<Findings> =>
    (await inTime(call)).match(judge, (cause) => {
      tellError(cause, {});
      return [unavailable(part, cause, remedy)];
    });

  const reachable = 'is it running, and are its address and credentials right?';

  const checkStorage = async (): Promise<Findings> => {
    const askedAt = clock.now();
    const own = await ask(
      'storage',
      reachable,
      async (): Promise<StorageCheck> => storage.check?.() ?? { findings: [] },
      ({ now, findings }) => {
        const unusable = findings.map((detail): Finding => ({ part: 'storage', code: 'not_usable', detail }));
        if (now === undefined) return unusable;
        // The question took time: any time of the store between is right.
        const skew = now < askedAt ? now - askedAt : Math.max(now - clock.now(), 0);
        if (Math.abs(skew) <= maxSkew) return unusable;
        const which = skew < 0 ? 'ahead of' : 'behind';
        const detail = `this process is ${Math.round(Math.abs(skew) / second)} seconds ${which} the storage: synchronise the clocks of both, with NTP.`;
        return [...unusable, { part: 'clock', code: 'clock_skew', detail }];
      },
    );
    if (own.some(({ part }) => part === 'storage')) return own;
    const id = newId(clock, random);
    const known = new Set(sealingKeys.map((key) => key.id));
    const read = await ask(
      'storage',
      reachable,
      () =>
        Promise.all([
          storage.endpoints.countBySealingKey(),
          storage.clients.findClient(id),
          storage.endpoints.findEndpoint(id, id),
          storage.events.listEvents(id, { limit: 1 }),
          storage.log.countBacklog(id),
          storage.parents.readPropagated([], 1),
          storage.deliveries.readEndpoints([id], []),
          // Of a worker that does not exist.
          storage.shards.heartbeat(id, second, { shards: [], settledTo: 0, isStopping: false }),
        ]),
      ([counts]) => counts.filter(({ keyId }) => !known.has(keyId)).map(missingKey),
    );
    return [...own, ...read];
  };

  const checkAccounts = (): Promise<Findings> =>
    ask(
      'accounts',
      'is its database reachable? For any text that is no id of yours find must resolve to undefined, since partners may send any',
      () => accounts.find(`check_${newId(clock, random)}`),
      (account) => {
        if (!account) return none;
        const detail = 'find answered an account for an id that no account has: resolve to undefined instead.';
        return [{ part: 'accounts', code: 'wrong_answer', detail }];
      },
    );

  /** A token of a client that does not exist, for a minute: it opens nothing. */
  const checkTokens = (): Promise<Findings> => {
    const [id, issuedAt] = [newId(clock, random), Math.floor(clock.now() / second)];
    const claims = {
      ...{ clientId: id, accountId: id, environment: 'check', secretId: id, scope: 'USER', jti: id },
      ...{ issuedAt, expiresAt: issuedAt + 60 },
    };
    return ask(
      'tokens',
      'are its keys right?',
      async () => {
        const verified = await tokens.verify(await tokens.issue(claims));
        await tokens.jwks?.();
        return verified;
      },
      (verified) => {
        if (verified?.clientId === id && verified.secretId === id && verified.expiresAt === claims.expiresAt)
          return none;
        const detail =
          'a token that was issued a moment ago is not verified with its claims: check keys, issuer, audience and this clock.';
        return [{ part: 'tokens', code: 'wrong_answer', detail }];
      },
    );
  };

  const checkLimiter = (): Promise<Findings> => {
    const key = `check:${newId(clock, random)}`;
    return ask('limiter', reachable, async () => {
      await limiter.take(key, { points: 1, window: second });
      await limiter.refund(key);
    });
  };

  const checkNews = (): Promise<Findings> =>
    news ? ask('news', reachable, () => news.since(undefined)) : Promise.resolve(none);

  const check = async (): Promise<Result<void, NotReady>> => {
    const found = await Promise.all([checkStorage(), checkAccounts(), checkTokens(), checkLimiter(), checkNews()]);
    const [first, ...more] = found.flat();
    if (!first) return ok(undefined);
    const findings = [first, ...more] as const;
    const detail = findings.map((each) => `${each.part}: ${each.detail}`).join('\n');
    return err({ code: 'not_ready', findings, detail });
  };
  return () => new ResultAsync(check());
};
