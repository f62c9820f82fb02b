import { setTimeout as after } from 'node:timers/promises';
import type { Prng } from '../../packages/conformance/src/simulator/prng.ts';
import type { Fleet } from './fleet.ts';
import type { Load } from './load.ts';
import type { Credentials, Office } from './office.ts';
import type { Servers } from './servers.ts';
import type { StorageKind } from './stores.ts';

/** How often each act is in a deck of them. A deck is drawn to its end, in any order. */
const deck = {
  killWorker: 3,
  killHost: 2,
  stopWorker: 2,
  stopHost: 1,
  stepClock: 3,
  stepStoreClock: 2,
  rotateWebhookSecret: 3,
  rotateClientSecret: 2,
  editEndpoint: 2,
  switchEndpoint: 2,
  logInWrongly: 1,
  restartPostgres: 1,
  restartMariadb: 1,
  restartRedis: 1,
} as const;
type Act = keyof typeof deck | 'promote';

const every = 4_000;
/** A revocation takes effect within a second; after a failure of Redis, within a minute. */
const [revocation, redisRecovery] = [3_000, 60_000];

export interface ActOptions {
  readonly prng: Prng;
  readonly fleet: Fleet;
  readonly servers: Servers;
  readonly platforms: Readonly<Record<StorageKind, { readonly office: Office; readonly load: Load }>>;
}

/** Performs acts until the end; the standby is promoted at half-time. Resolves to how often each was performed. */
export const performActs = async (
  options: ActOptions,
  durationMs: number,
): Promise<Readonly<Record<string, number>>> => {
  const { prng, fleet, servers, platforms } = options;
  const startedAt = performance.now();
  const counts: Record<string, number> = {};
  const checks: Promise<void>[] = [];
  let redisSince = Number.NEGATIVE_INFINITY;
  const some = () => platforms[prng.chance(0.5) ? 'postgres' : 'mariadb'];

  const checkRevoked = async ({ load }: { readonly load: Load }, old: Credentials): Promise<void> => {
    await after(revocation);
    if (performance.now() - redisSince > redisRecovery) await load.mustNotLogIn(old);
  };
  const acts: Readonly<Record<Act, () => Promise<unknown>>> = {
    killWorker: () => fleet.replace('worker', 'kill'),
    killHost: () => fleet.replace('host', 'kill'),
    stopWorker: () => fleet.replace('worker', 'stop'),
    stopHost: () => fleet.replace('host', 'stop'),
    stepClock: async () => fleet.stepClock(prng.below(60_000) - 30_000),
    stepStoreClock: async () => {
      const { office } = some();
      await office.store.elapse(prng.chance(0.3) ? -2_000 : 360_000).catch(() => undefined);
    },
    rotateWebhookSecret: () => some().office.acts.rotateWebhookSecret(),
    rotateClientSecret: async () => {
      const of = some();
      const old = await of.office.acts.rotateClientSecret();
      if (old) checks.push(checkRevoked(of, old));
    },
    editEndpoint: () => some().office.acts.editEndpoint(),
    switchEndpoint: () => some().office.acts.switchEndpoint(),
    logInWrongly: () => {
      const { office, load } = some();
      const [first] = office.endpoints;
      const { clientId, secret } = office.credentialsOf(first?.accountId ?? '');
      return load.mustNotLogIn({ clientId, secret: `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}` });
    },
    restartPostgres: servers.postgres.restart,
    restartMariadb: servers.mariadb.restart,
    restartRedis: async () => {
      await servers.redis.kill();
      await servers.redis.restart();
      redisSince = performance.now();
    },
    promote: servers.postgres.promote,
  };

  const cards: Act[] = [];
  const draw = (): Act => {
    if (performance.now() - startedAt > durationMs / 2 && counts['promote'] === undefined) return 'promote';
    if (cards.length === 0)
      cards.push(...Object.entries(deck).flatMap(([act, times]) => Array.from({ length: times }, () => act as Act)));
    return cards.splice(prng.below(cards.length), 1)[0] as Act;
  };
  while (performance.now() - startedAt < durationMs) {
    await after(every);
    const act = draw();
    counts[act] = (counts[act] ?? 0) + 1;
    await acts[act]();
  }
  await Promise.all(checks);
  return counts;
};
