import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, minute } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { Abandoned, ClaimedDelivery, ClaimRequest, DeliveryQueue } from './delivery-queue.ts';
import type { Trouble } from './trouble.ts';

const lease: DurationMs = minute;
/** Where nothing was found, a busy worker looks again so much later. */
const quiet: DurationMs = 25;

/** @internal */
export interface PassDeps {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly observe: Observer;
  readonly trouble: Trouble;
  /** Who asks, and what caps it has. */
  readonly schedule: ClaimRequest['schedule'];
  readonly caps: Pick<ClaimRequest, 'worker' | 'perEndpoint' | 'perAccount'>;
  /** For how many more there is room. */
  readonly room: () => number;
  /** Takes what was leased, and says how much of it is attempted. */
  readonly take: (claimed: readonly ClaimedDelivery[], leaseEnds: EpochMs) => Promise<number>;
  /** Events wait to be referred to the parents of their accounts. */
  readonly onReferring: () => void;
  readonly stopping: () => boolean;
}

/** What came of a pass. @internal */
interface Passed {
  /** How much there was to do. */
  readonly done: number;
  /** How many attempts it brought. */
  readonly begun: number;
}

/** @internal */
export interface Pass {
  /** Somebody says that there is something new. */
  tell(): void;
  /** Where nothing was found a moment ago, only a thorough pass looks again. */
  run(thorough: boolean): Promise<Passed>;
}

const nothing = { claimed: [], abandoned: [] };

/**
 * Asks for work: new events first, for half of the room, or for all of it while nothing else is due; then whatever is due.
 * @internal
 */
export const createPass = ({
  queue,
  clock,
  observe,
  trouble,
  schedule,
  caps,
  room,
  take,
  onReferring,
  stopping,
}: PassDeps): Pass => {
  let news = false;
  let dispatchAgainAt: EpochMs = 0;
  let claimAgainAt: EpochMs = 0;

  const wanting = (limit: number): ClaimRequest => ({ ...caps, limit, lease, schedule });

  const signalAbandoned = (abandoned: readonly Abandoned[]): void => {
    for (const { exhausted, ...attempted } of abandoned) {
      const next = exhausted ? 'exhausted' : 'retry';
      observe({ kind: 'attempt', ...attempted, startedAt: clock.now(), took: 0, outcome: 'abandoned', next });
    }
  };

  const dispatch = async (at: EpochMs, free: number): Promise<Passed> => {
    news = false;
    const share = at < claimAgainAt ? free : Math.ceil(free / 2);
    const dispatched = await trouble.orElse(
      'dispatch',
      ask(() => queue.dispatch(wanting(share))),
      {
        ...nothing,
        events: 0,
        ahead: [],
        traced: [],
        referring: false,
      },
    );
    const { events, traced } = dispatched;
    if (events > 0) observe({ kind: 'dispatched', events, startedAt: at, took: Math.max(clock.now() - at, 0), traced });
    for (const late of dispatched.ahead) observe({ kind: 'stamped_ahead', ...late });
    signalAbandoned(dispatched.abandoned);
    if (dispatched.referring) onReferring();
    const begun = await take(dispatched.claimed, at + lease);
    dispatchAgainAt = dispatched.events > 0 ? 0 : at + quiet;
    return { done: dispatched.events + dispatched.abandoned.length + begun, begun };
  };

  const claim = async (at: EpochMs, free: number): Promise<Passed> => {
    const { claimed, abandoned } = await trouble.orElse(
      'claim',
      ask(() => queue.claim(wanting(free))),
      nothing,
    );
    signalAbandoned(abandoned);
    const begun = await take(claimed, at + lease);
    const done = abandoned.length + claimed.length;
    claimAgainAt = done > 0 ? 0 : at + quiet;
    return { done, begun };
  };

  return {
    tell: () => {
      news = true;
    },
    run: async (thorough) => {
      const free = room();
      const at = clock.now();
      const first = thorough || news || at >= dispatchAgainAt ? await dispatch(at, free) : { done: 0, begun: 0 };
      const left = Math.max(free - first.begun, 0);
      const claimedAt = clock.now();
      if (stopping() || !(thorough || (left > 0 && claimedAt >= claimAgainAt))) return first;
      const second = await claim(claimedAt, left);
      return { done: first.done + second.done, begun: first.begun + second.begun };
    },
  };
};
