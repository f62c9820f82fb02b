import { err, ok, type Result, ResultAsync } from '#result';
import type { ClientChangeFeed } from '../access/clients/client-change-feed.ts';
import type { AccessTokens } from '../access/tokens/access-tokens.ts';
import type { RateLimiter } from '../access/tokens/rate-limiter.ts';
import type { AccountDirectory } from '../base/accounts/account.ts';
import type { SealingKey } from '../base/crypto/seal.ts';
import { tryCall } from '../base/runtime/call-port.ts';
import type { Clock } from '../base/runtime/clock.ts';
import type { Failure } from '../base/runtime/failure.ts';
import { newId } from '../base/runtime/id.ts';
import type { Random } from '../base/runtime/random.ts';
import { type DurationMs, type EpochMs, minute, second } from '../base/runtime/time.ts';
import { errorName } from '../base/signals/error-name.ts';
import type { ErrorListener } from '../base/signals/listener.ts';
import type { Storage, StorageCheck } from '../stores/storage/storage.ts';
import type { HandlerStatus } from '../webhooks/deliveries/handler-store.ts';
import type { ProfileCount } from '../webhooks/endpoints/endpoint-store.ts';
import type { EndpointSealer } from '../webhooks/endpoints/webhook-secret.ts';
import type { WireProfiles } from '../webhooks/signature/wire-profile.ts';
import type { Worker, WorkerState } from '../webhooks/worker/worker.ts';
import type { CheckFinding } from './check-finding.ts';
import { keyFindings } from './check-keys.ts';
import { noteSecret } from './note-secret.ts';

/**
 * Why a kit cannot work yet.
 * @public
 */
export interface CheckFailure extends Failure<'not_ready'> {
  /** Every problem that was found; `message` has one of them a line. */
  readonly findings: readonly [CheckFinding, ...CheckFinding[]];
}

/**
 * The report of a kit that works.
 * @public
 */
export interface CheckReport {
  /** Settings with which it works until something fails, such as a server that stops answering; with their remedies. */
  readonly warnings: readonly string[];
}

/** Calls each port and reports the problems of a kit. It writes nothing but the id of the secret. */
export type CheckKit = () => ResultAsync<CheckReport, CheckFailure>;

export interface CheckDeps<Tx extends object> {
  readonly storage: Storage<Tx>;
  readonly sealingKeys: readonly Pick<SealingKey, 'id'>[];
  /** Ids of the secrets, the current one first. Empty without `secret`. */
  readonly secretIds: readonly string[];
  readonly sealer: Pick<EndpointSealer, 'openOneOf'>;
  readonly profiles: Pick<WireProfiles, 'of'>;
  readonly accounts: AccountDirectory;
  readonly tokens: AccessTokens;
  readonly limiter: RateLimiter;
  readonly changeFeed: ClientChangeFeed | undefined;
  /** The workers that were started and not stopped. */
  readonly workers: Iterable<Pick<Worker, 'state'>>;
  /** The handlers of the workers of this process. */
  readonly handlerNames: ReadonlySet<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly reportError: ErrorListener;
}

const callTimeout: DurationMs = 5 * second;
const maxSkew: DurationMs = 5 * second;

type CheckFindings = readonly CheckFinding[];
const none: CheckFindings = [];

const unavailable = (part: CheckFinding['part'], cause: unknown, remedy: string): CheckFinding => {
  const { name, code } = errorName(cause);
  return { part, code: 'unavailable', detail: `did not answer (${code ?? name}): ${remedy}; see cause.`, cause };
};

const missingProfile = ({ profile, endpoints }: ProfileCount): CheckFinding => ({
  part: 'webhooks',
  code: 'missing_profile',
  detail:
    `${endpoints} ${endpoints === 1 ? 'endpoint has' : 'endpoints have'} the profile ${JSON.stringify(profile)}: add it ` +
    'to webhooks.profiles, or give them another with kit.endpoints.update(accountId, endpointId, { profile }).',
});

/** A process that starts a little later than its storage was used must not be warned. */
const maxUnseen: DurationMs = 10 * minute;

/** A warning: a process without the handler, such as one that is rolled back, must start. */
const missingHandler = (
  { name, seenAt, waiting }: HandlerStatus,
  now: EpochMs,
  own: ReadonlySet<string>,
): readonly string[] =>
  own.has(name) || now - seenAt < maxUnseen
    ? []
    : [
        `handlers: no worker has had the handler ${JSON.stringify(name)} for ${Math.floor((now - seenAt) / minute)} ` +
          `minutes, and ${waiting} of its deliveries wait: start a worker with it, or call kit.handlers.remove.`,
      ];

const checkWorker = ({ state, lastError }: WorkerState): CheckFindings => {
  if ((state !== 'starting' && state !== 'restarting') || !lastError) return none;
  const { name, code } = errorName(lastError.cause);
  const detail = `is ${state} and delivers nothing, because its storage failed (${code ?? name}); see cause.`;
  return [{ part: 'worker', code: 'not_serving', detail, cause: lastError.cause }];
};

export const createCheck = <Tx extends object>(deps: CheckDeps<Tx>): CheckKit => {
  const { storage, sealingKeys, secretIds, sealer, profiles, accounts, tokens, limiter, changeFeed, workers } = deps;
  const { clock, random, reportError, handlerNames } = deps;

  const inTime = async <T>(call: () => Promise<T>): Promise<Result<T, unknown>> => {
    const settled = new AbortController();
    const late = clock.sleep(callTimeout, settled.signal).then(() => err(new Error('No answer within 5 seconds.')));
    const outcome = tryCall(call).then((result) => result.mapErr(({ cause }) => cause));
    return Promise.race([outcome, late]).finally(() => settled.abort('settled'));
  };

  /** Calls one port. A failure or a timeout is a finding; `evaluate` turns the result into findings. */
  const probe = async <T>(
    part: CheckFinding['part'],
    remedy: string,
    call: () => Promise<T>,
    evaluate: (result: T) => CheckFindings = () => none,
  ): Promise<CheckFindings> =>
    (await inTime(call)).match(evaluate, (cause) => {
      reportError(cause, {});
      return [unavailable(part, cause, remedy)];
    });

  const reachable = 'is it running, and are its address and credentials right?';

  let warnings: readonly string[] = [];

  const checkStorage = async (): Promise<CheckFindings> => {
    const calledAt = clock.now();
    const own = await probe(
      'storage',
      reachable,
      async (): Promise<StorageCheck> => storage.check?.() ?? { findings: [] },
      ({ now, findings, warnings: told = [] }) => {
        warnings = told;
        const unusable = findings.map((detail): CheckFinding => ({ part: 'storage', code: 'not_usable', detail }));
        if (now === undefined) return unusable;
        // The call took time: any store time between its start and its end is right.
        const skew = now < calledAt ? now - calledAt : Math.max(now - clock.now(), 0);
        if (Math.abs(skew) <= maxSkew) return unusable;
        const which = skew < 0 ? 'ahead of' : 'behind';
        const seconds = Math.round(Math.abs(skew) / second);
        const lag = `${seconds} seconds ${which} the storage`;
        const detail = `this process is ${lag}: synchronise the clocks of both, with NTP.`;
        return [...unusable, { part: 'clock', code: 'clock_skew', detail }];
      },
    );
    if (own.some(({ part }) => part === 'storage')) return own;
    const id = newId(clock, random);
    const read = await probe(
      'storage',
      reachable,
      () =>
        Promise.all([
          storage.endpoints.countBySealingKey(),
          storage.endpoints.countByProfile(),
          noteSecret(storage.secretIds, secretIds),
          storage.clients.findClient(id),
          storage.endpoints.findEndpoint(id, id),
          storage.events.listEvents(id, { limit: 1 }),
          storage.log.countBacklog(id),
          storage.parents.readPropagated([], 1),
          storage.deliveries.readEndpoints([id], 0),
          // This worker does not exist, so nothing is claimed.
          storage.shards.heartbeat(id, second, { shards: [], watermark: 0, settlement: 0, isStopping: false }),
          storage.handlers.listHandlers(),
        ]),
      (read) => {
        const [counts, ofProfiles, standing, , , , , , { now }, , registered] = read;
        warnings = [...warnings, ...registered.flatMap((each) => missingHandler(each, now, handlerNames))];
        return [
          ...keyFindings(
            sealingKeys.map((key) => key.id),
            sealer,
            counts,
            standing,
          ),
          ...ofProfiles.filter(({ profile }) => !profiles.of(profile)).map(missingProfile),
        ];
      },
    );
    return [...own, ...read];
  };

  const checkAccounts = (): Promise<CheckFindings> =>
    probe(
      'accounts',
      'is its database reachable? For any text that is no id of yours find must resolve to undefined, ' +
        'since partners may send any',
      async () => accounts.find(`check_${newId(clock, random)}`),
      (account) => {
        if (!account) return none;
        const detail = 'find answered an account for an id that no account has: resolve to undefined instead.';
        return [{ part: 'accounts', code: 'wrong_answer', detail }];
      },
    );

  /** Issues a token for a client that does not exist, valid for a minute: it grants no access. */
  const checkTokens = (): Promise<CheckFindings> => {
    const [id, issuedAt] = [newId(clock, random), Math.floor(clock.now() / second)];
    const claims = {
      ...{ clientId: id, accountId: id, environment: 'check', secretId: id, scope: 'USER', jti: id },
      ...{ issuedAt, expiresAt: issuedAt + 60 },
    };
    return probe(
      'tokens',
      'are its keys right?',
      async () => {
        const verified = await tokens.verify(await tokens.issue(claims));
        await tokens.jwks?.();
        return verified;
      },
      (verified) => {
        if (
          verified &&
          Object.entries(claims).every(([name, claim]) => verified[name as keyof typeof claims] === claim)
        )
          return none;
        const detail =
          'a token that was issued a moment ago is not verified with its claims: ' +
          'check keys, issuer, audience and this clock.';
        return [{ part: 'tokens', code: 'wrong_answer', detail }];
      },
    );
  };

  const checkLimiter = (): Promise<CheckFindings> => {
    const key = `check:${newId(clock, random)}`;
    return probe('limiter', reachable, async () => {
      await limiter.take(key, { points: 1, window: second });
      await limiter.refund(key);
    });
  };

  const checkChangeFeed = (): Promise<CheckFindings> =>
    changeFeed ? probe('changeFeed', reachable, () => changeFeed.changesSince(undefined)) : Promise.resolve(none);

  const check = async (): Promise<Result<CheckReport, CheckFailure>> => {
    const found = await Promise.all([
      checkStorage(),
      checkAccounts(),
      checkTokens(),
      checkLimiter(),
      checkChangeFeed(),
    ]);
    const [first, ...more] = [...found.flat(), ...[...workers].flatMap(({ state }) => checkWorker(state()))];
    if (!first) return ok({ warnings });
    const findings = [first, ...more] as const;
    const message = findings.map((each) => `${each.part}: ${each.detail}`).join('\n');
    return err({ code: 'not_ready', message, findings });
  };
  return () => new ResultAsync(check());
};
