import type { FindParent } from '../../base/accounts/find-parent.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import type { FactSource } from '../../base/audit/fact-source.ts';
import { createCache } from '../../base/runtime/cache.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { fraction, type Random } from '../../base/runtime/random.ts';
import { type DurationMs, type EpochMs, second } from '../../base/runtime/time.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { DisableAfter } from '../delivery-rules/breaker.ts';
import type { PruneLimits } from '../log/delivery-log.ts';
import { createParentLookups } from './context/parent-lookups.ts';
import type { WorkerErrors } from './context/worker-errors.ts';
import type { WorkerStores } from './context/worker-stores.ts';
import type { DueWork } from './due-work.ts';
import { createAccountCursor } from './memory/account-cursor.ts';
import type { Session } from './session.ts';
import { createDeliveryFacts } from './steps/delivery-facts.ts';
import { createEndpointFacts } from './steps/endpoint-facts.ts';
import { propagate } from './steps/propagate.ts';
import { prune } from './steps/prune.ts';
import { tellFacts } from './steps/tell-facts.ts';
import { tidyAudit } from './steps/tidy-audit.ts';

/** What {@link createBeside} takes from the worker. */
export interface BesideDeps {
  readonly serving: Pick<WorkerStores, 'parents' | 'deliveries' | 'log' | 'audit'>;
  readonly findParent: FindParent;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives signals. `undefined`: no listener. */
  readonly observe: Observer | undefined;
  readonly errors: WorkerErrors;
  /** The ages at which rows are deleted. */
  readonly ages: Omit<PruneLimits, 'limit'> & { readonly audit: DurationMs };
  /** Makes and links entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'fact' | 'place'>;
  /** When an endpoint that fails is disabled. */
  readonly disableAfter: DisableAfter;
  /** Facts of time to tell beside those of endpoints. */
  readonly factSources: readonly FactSource[];
  /** Approximate interval of pruning, and of looking for events that other workers left. */
  readonly pruneEvery: DurationMs;
  /** The current session. */
  readonly session: () => Session | undefined;
  /** What is given by rule. */
  readonly dueWork: Iterable<DueWork>;
}

/** The work beside the deliveries, which delays none of them: copies for parents, rules and pruning. */
export interface Beside {
  /** Propagates until nothing more can be propagated. Resolves to the number of copies. */
  propagate(): Promise<number>;
  /** Gives the commands that are due until none is. Resolves to their number. */
  giveDue(): Promise<number>;
  /** Tells the facts of time whose interval has passed. */
  tell(): Promise<void>;
  /** Links the audit trail and prunes everything, unless that happened within the interval. */
  prune(): Promise<void>;
  /** Events may wait for propagation. */
  wake(): void;
  /** Propagates events as they come, gives due commands, and prunes, until `stopped` aborts and `wake` is called. */
  run(stopped: AbortSignal): Promise<void>;
}

/** What became of the waiting events in one round over all accounts. */
interface Round {
  readonly found: number;
  readonly propagated: number;
  readonly copies: number;
}

/** Timeout of a round's directory calls; a later result counts in a later round. */
const lookupTimeout: DurationMs = second / 10;
/** Poll interval of due commands. */
const dueEvery: DurationMs = second;
/** Facts whose ids are remembered. */
const maxTold = 5_000;
const never = new AbortController().signal;

export const createBeside = (deps: BesideDeps): Beside => {
  const { serving, clock, random, observe, errors, ages, pruneEvery, session, dueWork } = deps;
  const lookups = createParentLookups(deps);
  const told = createCache<true>(maxTold);
  let pruneAgainAt: EpochMs = 0;
  const ownFacts = [
    createEndpointFacts({ ...deps, log: serving.log }),
    createDeliveryFacts({ ...deps, log: serving.log }),
  ];
  const sources = [...(ownFacts as FactSource[]), ...deps.factSources].map((source) => ({ source, tellAgainAt: 0 }));

  /** The shards of the current session, after a pause only once its lease is renewed. */
  const served = (): readonly number[] => {
    const shards = session()?.memory.shards;
    // The outcomes of attempts in flight are stored first: their deliveries must not expire before.
    return shards && shards.leaseLeft() > 0 ? shards.served() : [];
  };

  const pruneAll = async (stopped: AbortSignal): Promise<void> => {
    const { audit: auditAge, ...limits } = ages;
    await tidyAudit({ audit: serving.audit, served, age: auditAge, auditor: deps.auditor, errors }, stopped);
    await prune({ log: serving.log, served, ages: limits, errors, observe }, stopped);
  };

  const tell = async (stopped: AbortSignal): Promise<void> => {
    for (const each of sources) {
      if (stopped.aborted || served().length === 0) return;
      if (clock.now() < each.tellAgainAt) continue;
      each.tellAgainAt = clock.now() + each.source.every;
      await tellFacts({ audit: serving.audit, served, told, errors }, each.source, stopped);
    }
  };

  const pruneRegularly = async (stopped: AbortSignal): Promise<void> => {
    while (!stopped.aborted) {
      // Jitter, so that workers do not prune at the same time.
      await clock.sleep(Math.ceil(pruneEvery * (0.5 + fraction(random))), stopped);
      if (!stopped.aborted) await tell(stopped);
      if (!stopped.aborted) await pruneAll(stopped);
    }
  };

  /** Begins to give what is due. Resolves to whether more may be due. */
  const turn = async (stopped: AbortSignal): Promise<boolean> => {
    const turns = await Promise.all([...dueWork].map((work) => work.turn(errors, stopped)));
    return turns.includes(true);
  };
  const idle = () => Promise.all([...dueWork].map((work) => work.idle()));
  const sumGiven = (): number => [...dueWork].reduce((sum, work) => sum + work.given(), 0);

  const giveRegularly = async (stopped: AbortSignal): Promise<void> => {
    while (!stopped.aborted) if (!(await turn(stopped))) await clock.sleep(dueEvery, stopped);
    await idle();
  };

  const propagateRound = async (wait: DurationMs | undefined, stopped: AbortSignal): Promise<Round> => {
    const cursor = createAccountCursor();
    const sum = { found: 0, propagated: 0, copies: 0 };
    for (let own = session(); own; own = session()) {
      const { parents, deliveries } = serving;
      const context = { workerId: own.id, served: own.memory.shards.served(), parents, deliveries, lookups, errors };
      const page = await propagate(context, cursor, wait);
      if (page.copies > 0) session()?.nudge();
      sum.found += page.found;
      sum.propagated += page.propagated;
      sum.copies += page.copies;
      if (!page.hasMore || stopped.aborted) break;
    }
    return sum;
  };

  const propagateRegularly = async (stopped: AbortSignal): Promise<void> => {
    while (!stopped.aborted) {
      const { found, propagated } = await propagateRound(lookupTimeout, stopped);
      if (propagated === 0 && !stopped.aborted) await lookups.late.wait(found > 0 ? second : pruneEvery);
    }
  };

  return {
    propagate: async () => {
      for (let made = 0; ; ) {
        const { propagated, copies } = await propagateRound(undefined, never);
        made += copies;
        if (propagated === 0) return made;
      }
    },
    giveDue: async () => {
      const before = sumGiven();
      while (await turn(never));
      await idle();
      return sumGiven() - before;
    },
    tell: () => tell(never),
    prune: async () => {
      if (clock.now() < pruneAgainAt) return;
      pruneAgainAt = clock.now() + pruneEvery;
      await pruneAll(never);
    },
    wake: lookups.late.wake,
    run: async (stopped) => {
      await Promise.all([propagateRegularly(stopped), pruneRegularly(stopped), giveRegularly(stopped)]);
    },
  };
};
