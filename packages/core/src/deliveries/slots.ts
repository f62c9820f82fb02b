import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import type { Attempts } from './attempt.ts';
import type { ClaimedDelivery, Settlement } from './delivery-queue.ts';

/** After the deadline an answer's body may still be read for two seconds; then it is settled. */
const grace: DurationMs = 5 * second;

/** @internal */
export interface SlotsDeps {
  readonly attempt: Attempts;
  readonly clock: Clock;
  readonly concurrency: number;
  /** The longest that an attempt may take. */
  readonly deadline: DurationMs;
  /** An attempt ended, and its slot is free or taken by the next. */
  readonly onLanded: (
    delivery: ClaimedDelivery,
    settlement: Settlement,
    leaseEnds: EpochMs,
    startedAt: EpochMs,
  ) => void;
  /** Takes back what was not attempted. */
  readonly giveBack: (deliveries: readonly ClaimedDelivery[]) => void;
}

/** The deliveries that a worker holds: in flight, or ready to go when a slot is free. @internal */
export interface Slots {
  /** How many are in flight. */
  sending(): number;
  /** How many wait for a slot. */
  ready(): number;
  /** How many attempts have ended, ever. */
  landed(): number;
  /** No attempt may outlive this time, counted from now. */
  readonly longest: DurationMs;
  add(claimed: readonly ClaimedDelivery[], leaseEnds: EpochMs): void;
  /** Takes out what waits for a slot. */
  takeReady(): readonly ClaimedDelivery[];
  /** Gives up attempts of a sender that broke its promise to settle: they must not hold their slots for ever. */
  giveUpOverdue(): void;
}

interface Held {
  readonly delivery: ClaimedDelivery;
  readonly leaseEnds: EpochMs;
}

interface Sending extends Held {
  readonly since: EpochMs;
}

/** @internal */
export const createSlots = ({ attempt, clock, concurrency, deadline, onLanded, giveBack }: SlotsDeps): Slots => {
  const longest = deadline + grace;
  const ready: Held[] = [];
  const sending = new Set<Sending>();
  let landed = 0;

  const send = async (held: Sending): Promise<void> => finish(held, await attempt.make(held.delivery));

  /** An attempt must end before another worker may make it. */
  const fill = (): void => {
    const late: ClaimedDelivery[] = [];
    while (sending.size < concurrency) {
      const next = ready.shift();
      if (next === undefined) break;
      const { delivery, leaseEnds } = next;
      const since = clock.now();
      if (leaseEnds - since < longest) {
        late.push(delivery);
        continue;
      }
      const held: Sending = { delivery, leaseEnds, since };
      sending.add(held);
      void send(held);
    }
    giveBack(late);
  };

  /** Once for each attempt: what comes after that was given up comes too late. */
  const finish = (held: Sending, settlement: Settlement): void => {
    if (!sending.delete(held)) return;
    landed++;
    fill();
    onLanded(held.delivery, settlement, held.leaseEnds, held.since);
  };

  return {
    sending: () => sending.size,
    ready: () => ready.length,
    landed: () => landed,
    longest,
    add: (claimed, leaseEnds) => {
      for (const delivery of claimed) ready.push({ delivery, leaseEnds });
      fill();
    },
    takeReady: () => ready.splice(0).map(({ delivery }) => delivery),
    giveUpOverdue: () => {
      const before = clock.now() - longest;
      for (const held of sending) if (held.since <= before) finish(held, attempt.giveUp(held.delivery));
    },
  };
};
