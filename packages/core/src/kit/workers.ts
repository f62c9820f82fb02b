import type { CallCounter } from '../access/clients/count-calls.ts';
import { createKeyFacts } from '../access/clients/key-facts.ts';
import { findAccount } from '../base/accounts/find-account.ts';
import type { FindParent } from '../base/accounts/find-parent.ts';
import type { FactSource } from '../base/audit/fact-source.ts';
import type { Storage } from '../stores/storage/storage.ts';
import { breakerPauses, developmentPauses } from '../webhooks/delivery-rules/breaker.ts';
import { type DeliveryPolicy, defaultPolicy, type WholePolicy } from '../webhooks/delivery-rules/delivery-policy.ts';
import { developmentSchedule, inDevelopment, retrySchedule } from '../webhooks/delivery-rules/retry-policy.ts';
import { createPullFacts } from '../webhooks/feeds/pull-facts.ts';
import { type HandlersOption, readHandlers } from '../webhooks/handlers/handler.ts';
import { createHandlerRuns } from '../webhooks/handlers/run-handlers.ts';
import { createPushFacts } from '../webhooks/log/push-facts.ts';
import { createAttempt } from '../webhooks/worker/attempts/attempt.ts';
import { createErrorReports } from '../webhooks/worker/context/error-reports.ts';
import { defaultRetention } from '../webhooks/worker/context/retention.ts';
import { createUnknownAccounts } from '../webhooks/worker/context/unknown-accounts.ts';
import type { WorkerOptions } from '../webhooks/worker/context/worker-options.ts';
import type { DueWork } from '../webhooks/worker/due-work.ts';
import type { Engine } from '../webhooks/worker/engine.ts';
import { createWorker, type Worker, workerLease } from '../webhooks/worker/worker.ts';
import { withDefaults } from './assert-options.ts';
import type { Foundation, Settings } from './foundation.ts';

const policyOf = (given: Partial<DeliveryPolicy> | undefined): WholePolicy => {
  const policy = withDefaults<DeliveryPolicy>(defaultPolicy, given);
  return { ...policy, disableAfter: withDefaults(defaultPolicy.disableAfter, policy.disableAfter) };
};

const callsAsDueWork = ({ writeIfDue }: Pick<CallCounter, 'writeIfDue'>): DueWork => ({
  turn: async () => {
    writeIfDue();
    return false;
  },
  idle: async () => undefined,
  given: () => 0,
});

/** What workers need beside the foundation. */
export interface WorkersDeps<Tx extends object> {
  /** What a handler can select. */
  readonly eventSelectors: readonly string[];
  /** Not limited: a lease limits the calls of workers. */
  readonly storage: Storage<Tx>;
  readonly findParent: FindParent;
  readonly engine: Engine;
}

/** The workers of a kit. */
export const createWorkers = <Tx extends object>(
  foundation: Foundation<Tx>,
  { sender, webhooks = {} }: Settings,
  { storage, findParent, engine, eventSelectors }: WorkersDeps<Tx>,
) => {
  const { accounts, clock, random, sealer, auditor, profiles, observe, listener, reportError, calls } = foundation;
  const started = new Set<Worker>();
  const nudges = new Set<() => void>();
  // What is counted is written while a worker polls; nothing waits for it.
  const dueWork = new Set<DueWork>([callsAsDueWork(calls)]);
  const handlerNames = new Set<string>();
  const isDevelopment = sender.development === true;
  const policy = policyOf(webhooks.delivery);
  const { retrySchedule: given, timeout: deadline, disableAfter } = policy;
  const reportWorkerError = createErrorReports({ clock, observe: listener, onError: reportError });
  // Of the host's own code: what partners' receivers need says nothing about it.
  const handlerRetries = isDevelopment ? developmentSchedule : retrySchedule;
  const retention = withDefaults(defaultRetention, webhooks.retention);
  const { clients, endpoints, feeds, log } = foundation.storage;
  const facts = { auditor, clock, entriesLast: retention.audit };
  const deps = {
    engine,
    storage,
    findParent,
    noteDispatched: listener && createUnknownAccounts((accountId) => findAccount(accounts, accountId), clock, observe),
    attempts: createAttempt({
      sender,
      findParent,
      sealer,
      profiles,
      clock,
      reportError: reportWorkerError,
      userAgent: webhooks.userAgent ?? 'partnerkit',
      deadline,
    }),
    clock,
    random,
    auditor,
    observe: listener,
    reportError: reportWorkerError,
    deadline,
    retries: isDevelopment ? inDevelopment(given) : given,
    breaker: { pauses: isDevelopment ? developmentPauses : breakerPauses, disableAfter },
    retention,
    lease: workerLease,
    dueWork,
    factSources: [
      createKeyFacts({ clients, ...facts }),
      createPullFacts({ endpoints, feeds, ...facts }),
      createPushFacts({ endpoints, log, auditor, clock }),
    ] as FactSource[],
    onNudge: (wake: () => void) => {
      nudges.add(wake);
      return () => nudges.delete(wake);
    },
  };
  return {
    /** How this kit delivers. */
    delivery: { deadline, retries: deps.retries, ...deps.breaker, retention: deps.retention },
    policy,
    started,
    handlerNames,
    dueWork,
    nudge: (): void => {
      for (const wake of nudges) wake();
    },
    worker: (options: WorkerOptions & HandlersOption<Tx> = {}): Worker => {
      const { handlers = {}, ...limits } = options;
      const named = readHandlers<Tx>(handlers, eventSelectors, foundation.storage.maxTransactions);
      for (const { registration } of named) handlerNames.add(registration.name);
      const worker = createWorker(
        {
          ...deps,
          handlers: (errors) =>
            createHandlerRuns({
              ...{ handlers: named, storage: foundation.storage, clock, random, retries: handlerRetries, errors },
              observe: listener,
            }),
        },
        limits,
      );
      return {
        ...worker,
        start: () => {
          started.add(worker);
          worker.start();
        },
        stop: async () => {
          await worker.stop();
          started.delete(worker);
          await calls.flush();
        },
      };
    },
  };
};
