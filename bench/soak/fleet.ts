import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Prng } from '../../packages/conformance/src/simulator/prng.ts';
import { type Child, openChildren } from '../../packages/workshop/src/processes/index.ts';
import type { frameworks, Memory, Said, SoakTask } from './child.ts';
import type { Place } from './platform.ts';
import { type StorageKind, storageKinds } from './stores.ts';

const command = fileURLToPath(new URL('./child.ts', import.meta.url));
const hostsOn: Readonly<Record<StorageKind, readonly (typeof frameworks)[number][]>> = {
  postgres: ['express', 'fastify', 'web'],
  mariadb: ['fastify', 'web'],
};
const workersOn = 2;

/** The processes of all platforms. Of each role and storage the first one is spared. */
export const startFleet = (places: Readonly<Record<StorageKind, Place>>, log: (text: string) => void, prng: Prng) => {
  const ports = new Map<string, number>();
  const memory = new Map<string, Memory>();
  const children = openChildren<SoakTask, Said>({
    command,
    hear: (said, { name }) => {
      if (said.kind === 'listening') ports.set(name, said.port);
      else memory.set(name, said);
    },
    log,
  });
  let started = 0;
  const start = (task: Omit<SoakTask, 'name'>): void => {
    children.start({ ...task, name: `${task.role} ${++started}` });
  };
  /** It listens to signals before it says anything. */
  const isReady = ({ task: { name, role } }: Child<SoakTask>): boolean =>
    memory.has(name) && (role === 'worker' || ports.has(name));
  const pick = (role: SoakTask['role']): Child<SoakTask> | undefined => {
    const found = children.living.filter((child) => child.task.role === role && !child.task.isSpared && isReady(child));
    return found[prng.below(found.length)];
  };
  for (const storage of storageKinds) {
    const place = places[storage];
    for (let nth = 0; nth < workersOn; nth++) start({ role: 'worker', place, isSpared: nth === 0 });
    for (const [nth, framework] of hostsOn[storage].entries())
      start({ role: 'host', place, framework, isSpared: nth === 0 });
  }
  return {
    unexpected: children.unexpected,
    /** Resolves once every process runs. */
    ready: async (): Promise<void> => {
      while (!children.living.every(isReady)) {
        if (children.unexpected.length > 0) throw new Error(children.unexpected.join('; '));
        await after(100);
      }
    },
    /** The port of some host of a platform. */
    pickPort: (storage: StorageKind): number | undefined => {
      const found = children.living.filter(
        ({ task }) => task.role === 'host' && task.place.storage === storage && ports.has(task.name),
      );
      return ports.get(found[prng.below(found.length)]?.task.name ?? '');
    },
    /** The largest memory of the spared processes of a role, in MiB: resident, and kept. */
    memoryOf: (role: SoakTask['role']): Memory => {
      const sizes = children.living
        .filter(({ task }) => task.role === role && task.isSpared)
        .map(({ task }) => memory.get(task.name));
      const largest = (of: keyof Memory): number =>
        Math.round(Math.max(...sizes.map((size) => size?.[of] ?? 0)) / 2 ** 20);
      const kept = largest('kept');
      return { resident: largest('resident'), ...(kept > 0 ? { kept } : {}) };
    },
    /** Ends a process, and starts another one in its place. */
    replace: async (role: SoakTask['role'], how: 'kill' | 'stop'): Promise<void> => {
      const child = pick(role);
      if (!child) return;
      await child[how]();
      start(child.task);
    },
    /** Sets the clock of some process. */
    stepClock: (ahead: number): void => {
      const { living } = children;
      living[prng.below(living.length)]?.tell({ ahead });
    },
    stop: async () => {
      await Promise.all(children.living.slice().map((child) => child.stop()));
    },
    killAll: children.killAll,
  };
};
export type Fleet = ReturnType<typeof startFleet>;
