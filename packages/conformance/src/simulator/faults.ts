import type { DurationMs } from '@partnerkit/core';
import type { CallName } from './call-name.ts';
import type { History, ScriptedFault } from './history.ts';
import type { Prng } from './prng.ts';

/** Faults of the calls of machines. */
export interface Faults {
  /** The fault of the next call of this name on this machine. */
  take(machine: number, call: CallName | 'send'): Pick<ScriptedFault, 'kind' | 'length'> | undefined;
  /** Whether an unscripted call fails or is slow now. */
  isNoisy(): boolean;
}

/** Maximum delays of a slow call in each direction; the largest exceeds a lease. */
const slowness: readonly DurationMs[] = [50, 400, 3_000, 30_000];

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
      // Calls that show secrets to partners never fail: otherwise nobody would know the secrets.
      const isSpared = call === 'send' || (machine === 0 && !call.startsWith('events.'));
      if (fault || isSpared || !isNoisy()) return fault;
      if (prng.chance(noise.failures)) return { kind: prng.chance(0.5) ? 'fail' : 'lose', length: 0 };
      if (prng.chance(noise.slowness)) return { kind: 'slow', length: slowness[prng.below(slowness.length)] ?? 0 };
      return undefined;
    },
  };
};
