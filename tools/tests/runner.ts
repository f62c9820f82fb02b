import { clearInterval, setInterval } from 'node:timers';
import { type RunnerTestCase, TestRunner } from 'vitest';

/** How many of each kind of resource are active: timers, sockets, child processes, reads of files. */
const activeResources = (): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
};

/** Those of the worker itself. */
const ofWorker = activeResources();
/** Jobs of `node:crypto` in the thread pool are no resource, but they compute. In microseconds. */
const computing = 10_000;
/** With nothing active, nothing can resolve a promise: no machine is too slow for this. */
const isStill = (since: NodeJS.CpuUsage): boolean => {
  const { user, system } = process.cpuUsage(since);
  return (
    user + system < computing && [...activeResources()].every(([kind, count]) => count <= (ofWorker.get(kind) ?? 0))
  );
};

/** Seconds without any active resource after which a test fails: resources that are not counted may end meanwhile. */
const maxStill = 5;

/**
 * Fails a test that awaits what never comes, long before its time-out: in this process nothing is left that could
 * happen.
 */
export default class extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    let seconds = 0;
    let used: NodeJS.CpuUsage | undefined;
    let watch: NodeJS.Timeout | undefined;
    const stuck = new Promise<never>((_resolve, reject) => {
      watch = setInterval(() => {
        seconds = used !== undefined && isStill(used) ? seconds + 1 : 0;
        used = process.cpuUsage();
        if (seconds >= maxStill) reject(new Error('This test awaits what never comes: nothing is active any more.'));
      }, 1_000).unref();
    });
    try {
      await Promise.race([TestRunner.getTestFn(test)?.(), stuck]);
    } finally {
      clearInterval(watch);
    }
  }
}
