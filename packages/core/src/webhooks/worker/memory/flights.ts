import { type DurationMs, type EpochMs, second } from '../../../base/runtime/time.ts';
import type { LoadedDelivery } from './lane.ts';

/** After the deadline, the response body may be read for two more seconds; then the attempt is settled. */
const overdueGrace: DurationMs = 4 * second;

/** An attempt in flight. */
export interface Flight {
  readonly delivery: LoadedDelivery;
  /** By the wall clock, for signals. */
  readonly startedAt: EpochMs;
  /** By the monotonic clock. */
  readonly since: number;
  /** When it was found overdue. */
  overdueAt: number | undefined;
}

/** The attempts in flight. */
export interface Flights {
  /** Adds an attempt. */
  start(delivery: LoadedDelivery, startedAt: EpochMs): Flight;
  /** Removes it. Returns `false` if that was done: it was given up, and its outcome is ignored. */
  end(flight: Flight): boolean;
  /** The attempts whose sender did not settle in time. */
  overdue(): readonly Flight[];
  /** The number of attempts started. */
  started(): number;
}

/** Creates the memory of attempts in flight. */
export const createFlights = (now: () => number, deadline: DurationMs): Flights => {
  /** Oldest first. */
  const flights = new Set<Flight>();
  let started = 0;
  return {
    start: (delivery, startedAt) => {
      started++;
      const flight: Flight = { delivery, startedAt, since: now(), overdueAt: undefined };
      flights.add(flight);
      return flight;
    },
    end: (flight) => flights.delete(flight),
    overdue: () => {
      const before = now() - deadline - overdueGrace;
      const overdue: Flight[] = [];
      for (const flight of flights) {
        if (flight.since > before) break;
        // After the process was suspended, responses that arrived meanwhile get one second to be read.
        flight.overdueAt ??= now();
        if (now() - flight.overdueAt >= second) overdue.push(flight);
      }
      return overdue;
    },
    started: () => started,
  };
};
