import type { DurationMs } from '@partnerkit/core';
import type { History, ScriptedFault } from './history.ts';
import type { Prng } from './prng.ts';
import type { CallName } from './trace.ts';

/** What goes wrong with the calls of machines. @internal */
export interface Faults {
  /** The fault of the next call of this name on this machine. */
  take(machine: number, call: CallName | 'send'): Pick<ScriptedFault, 'kind' | 'length'> | undefined;
  /** Whether a part of what is not scripted goes wrong now, too. */
  isNoisy(): boolean;
}

/** How long a slow call takes at most, each way: now and then longer than a lease. */
const slowness: readonly DurationMs[] = [50, 400, 3_000, 30_000];

/** @internal */
export const createFaults = ({ faults, noise }: History, elapsed: () => DurationMs, prng: Prng): Faults => {
  const counts = new Map<string, number>();
  const scripted = new Map(faults.map((fault) => [`${fault.machine} ${fault.call} ${fault.number}`, fault]));
  const isNoisy = (): boolean => elapsed() < noise.until;
  return {
    isNoisy,
    take: (machine, call) => {
      const kind = `${machine} ${call}`;
      const number = counts.get(kind) ?? 0;
      counts.set(kind, number + 1);
      const fault = scripted.get(`${kind} ${number}`);
      // What partners are told of their endpoints, they are told: else nobody knew their secrets.
      const isSpared = call === 'send' || (machine === 0 && !call.startsWith('events.'));
      if (fault || isSpared || !isNoisy()) return fault;
      if (prng.chance(noise.failures)) return { kind: prng.chance(0.5) ? 'fail' : 'lose', length: 0 };
      if (prng.chance(noise.slowness)) return { kind: 'slow', length: slowness[prng.below(slowness.length)] ?? 0 };
      return undefined;
    },
  };
};
