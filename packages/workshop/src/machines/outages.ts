import { setTimeout as after } from 'node:timers/promises';
import type { Machine } from './machines.ts';

/** What happened to a machine. */
export type Outage = 'killed' | 'frozen' | 'cut off';

/** Longer than the leader of a cluster keeps its lock, in milliseconds. */
const duration = 60_000;

/** Takes a machine away for a minute. `start`: starts the programs of one that was killed. */
export const takeAway = async (machine: Machine, outage: Outage, start: (machine: Machine) => Promise<void>) => {
  const [go, comeBack] = {
    killed: [machine.kill, () => start(machine)],
    frozen: [machine.freeze, machine.thaw],
    'cut off': [machine.unplug, machine.plug],
  }[outage] as [() => Promise<void>, () => Promise<void>];
  await go();
  await after(duration);
  await comeBack();
};
