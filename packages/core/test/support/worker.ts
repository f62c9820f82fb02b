import { createAuditor } from '../../src/base/audit/auditor.ts';
import type { Clock } from '../../src/base/runtime/clock.ts';
import { second } from '../../src/base/runtime/time.ts';
import type { Signal } from '../../src/base/signals/signal.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { defaultBreaker } from '../../src/webhooks/delivery-rules/breaker.ts';
import type { NextStep } from '../../src/webhooks/delivery-rules/next-step.ts';
import { retrySchedule } from '../../src/webhooks/delivery-rules/retry-policy.ts';
import type { WorkerRecord } from '../../src/webhooks/shards/shard-store.ts';
import type { During } from '../../src/webhooks/worker/context/error-reports.ts';
import { rules } from '../../src/webhooks/worker/context/rules.ts';
import { createWorkerErrors } from '../../src/webhooks/worker/context/worker-errors.ts';
import { readWorkerOptions } from '../../src/webhooks/worker/context/worker-options.ts';
import type { WorkerStores } from '../../src/webhooks/worker/context/worker-stores.ts';
import { createMemory, type Memory, type MemoryDeps } from '../../src/webhooks/worker/memory/memory.ts';
import type { StepContext } from '../../src/webhooks/worker/steps/step.ts';
import { type TestClock, testClock } from './clock.ts';
import { answered } from './deliveries.ts';
import { sealingKeys } from './kit.ts';
import { seededRandom } from './random.ts';

/** Makes entries of the audit trail with the key of `sealingKeys`. */
export const testAuditor = () => createAuditor(sealingKeys, testClock(), seededRandom());

export const lease = 20 * second;
export const deadline = 15 * second;

/** The outcome of an attempt that succeeded, and what follows it. */
export const success = { outcome: answered(200), next: { kind: 'delivered', retryIn: 0 } satisfies NextStep };

/** What a store has of a worker that has not acquired or settled anything. */
export const nothingStored: WorkerRecord = { shards: [], acquired: [], settlement: 0, endpointVersion: 0 };

/** The memory of a session with the usual limits. */
export const workerMemory = (deps: Partial<MemoryDeps> = {}): Memory =>
  createMemory({
    auditor: testAuditor(),
    ...{
      rules,
      options: readWorkerOptions({}),
      takesAll: false,
      lease,
      deadline,
      breaker: defaultBreaker,
      now: () => 0,
    },
    ...deps,
  });

/** Calls that a test replaces. */
export type StoreChanges = { readonly [Port in 'shards' | 'deliveries']?: Partial<WorkerStores[Port]> };

/** Stores in memory, with some calls replaced. */
export const workerStores = (clock: Clock, change: StoreChanges = {}): WorkerStores => {
  const { shards, deliveries, parents, audit, log } = memoryStorage({ clock });
  return {
    ...{ shards: { ...shards, ...change.shards }, deliveries: { ...deliveries, ...change.deliveries } },
    ...{ parents, audit, log },
  };
};

/** What a step works with: the memory of worker `w`, and stores with some calls replaced. */
export const stepWorld = (change: StoreChanges = {}, more: Partial<StepContext> = {}) => {
  const clock: TestClock = testClock();
  const signals: Signal[] = [];
  const errors: (readonly [During, unknown])[] = [];
  const observe = (signal: Signal) => signals.push(signal);
  const context: StepContext = {
    workerId: 'w',
    memory: workerMemory({ now: clock.now }),
    stores: workerStores(clock, change),
    rules,
    attempts: { make: async () => success.outcome, giveUp: () => success.outcome },
    errors: createWorkerErrors(clock, (during, cause) => errors.push([during, cause])),
    clock,
    now: clock.now,
    random: seededRandom(),
    observe,
    noteDispatched: undefined,
    wakeHandlers: () => undefined,
    retries: retrySchedule,
    deadline,
    lease,
    perEndpoint: 8,
    ended: new AbortController().signal,
    ...more,
  };
  return { clock, signals, errors, context, memory: context.memory };
};
