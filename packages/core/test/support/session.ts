import { expect } from 'vitest';
import type { DeliveryStore, Settlement, SettleOutcome } from '../../src/webhooks/deliveries/delivery-store.ts';
import type { SendOutcome } from '../../src/webhooks/deliveries/sender.ts';
import { defaultBreaker } from '../../src/webhooks/delivery-rules/breaker.ts';
import { retrySchedule } from '../../src/webhooks/delivery-rules/retry-policy.ts';
import type {
  HeartbeatInput,
  ShardStore,
  WorkerMembership,
  WorkerRecord,
} from '../../src/webhooks/shards/shard-store.ts';
import type { During } from '../../src/webhooks/worker/context/error-reports.ts';
import { createWorkerErrors } from '../../src/webhooks/worker/context/worker-errors.ts';
import { readWorkerOptions } from '../../src/webhooks/worker/context/worker-options.ts';
import { engine } from '../../src/webhooks/worker/engine.ts';
import type { EndpointLane } from '../../src/webhooks/worker/memory/lane.ts';
import type { Memory } from '../../src/webhooks/worker/memory/memory.ts';
import { createSession } from '../../src/webhooks/worker/session.ts';
import { settled, start, testClock } from './clock.ts';
import { accountLane, loadedDelivery, storeState } from './lanes.ts';
import { seededRandom } from './random.ts';
import { deadline, lease, success, testAuditor, workerStores } from './worker.ts';

/** An answer; without `stored`, the store has what it confirmed. */
export type BeatAnswer = Omit<WorkerMembership, 'stored'> & Partial<Pick<WorkerMembership, 'stored'>>;
export const alone: BeatAnswer = { workers: 1, freeShards: 128 };
export const stored: SettleOutcome = { ...storeState(), transitions: [] };
const idsOf = ({ attempts }: Settlement): readonly string[] => attempts.map(({ eventId }) => eventId);

const confirmedTo = ({ shards, unsettled, accounts }: Memory): WorkerRecord => ({
  ...(shards.confirmed() ?? { shards: [], acquired: [] }),
  settlement: unsettled.confirmed(),
  endpointVersion: accounts.knownVersion(),
});

interface Answers {
  readonly settle?: (settlement: Settlement) => Promise<SettleOutcome | 'fenced'>;
  readonly heartbeat?: () => Promise<BeatAnswer | 'fenced'>;
  readonly acquire?: ShardStore['acquire'];
  readonly recover?: DeliveryStore['recover'];
}

/** A session that has joined a store, which answers as told. Its attempts end when the test says so. */
export const joinedSession = async ({
  settle = async () => stored,
  heartbeat = async () => alone,
  ...more
}: Answers = {}) => {
  const clock = testClock();
  const errors: (readonly [During, unknown])[] = [];
  const settlements: Settlement[] = [];
  const beats: (readonly [at: number, input: HeartbeatInput])[] = [];
  const ends: string[] = [];
  const stores = workerStores(clock, {
    shards: {
      heartbeat: async (_workerId, _lease, input) => {
        beats.push([clock.now() - start, input]);
        const stored = confirmedTo(session.memory);
        const answer = await heartbeat();
        return answer === 'fenced' ? answer : { stored, ...answer };
      },
      ...(more.acquire && { acquire: more.acquire }),
      release: async (_workerId, shards) => void ends.push(`release ${shards.length}`),
      leave: async () => void ends.push('leave'),
    },
    deliveries: {
      ...(more.recover && { recover: more.recover }),
      settle: async (_workerId, settlement) => {
        settlements.push(settlement);
        return settle(settlement);
      },
    },
  });
  const flying = new Map<string, (outcome: SendOutcome) => void>();
  const session = createSession({
    ...{
      engine,
      clock,
      random: seededRandom(),
      auditor: testAuditor(),
      observe: undefined,
      deadline,
      lease,
      takesAll: false,
      noteDispatched: undefined,
      wakeHandlers: () => undefined,
    },
    ...{ stores: { serving: stores, stopping: stores }, retries: retrySchedule, breaker: defaultBreaker },
    errors: createWorkerErrors(clock, (during, cause) => errors.push([during, cause])),
    options: readWorkerOptions({ concurrency: 1_000, perEndpoint: 1_000, perAccount: 1_000 }),
    attempts: {
      make: ({ eventId }) => new Promise((resolve) => flying.set(eventId, resolve)),
      giveUp: () => expect.unreachable(),
    },
  });
  const lane = accountLane('acc_a', [{ id: 'one' }]).lanes[0] as EndpointLane;
  /** Starts attempts. */
  const send = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) session.memory.schedule.add(loadedDelivery(lane, id));
    await session.cycle('woken');
  };
  /** Ends attempts: with a success each. */
  const finish = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) flying.get(id)?.(success.outcome);
    await settled();
  };
  const batches = () => settlements.map(idsOf);
  /** Stops the session; resolves once it has ended. */
  const end = async (): Promise<void> => {
    session.stop();
    await session.end();
  };
  await session.join();
  return { clock, errors, settlements, batches, beats, ends, session, send, finish, end };
};
