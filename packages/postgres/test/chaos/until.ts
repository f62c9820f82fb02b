import { setTimeout as after } from 'node:timers/promises';

const patience = 300_000;

/**
 * Resolves once it is so. Rejects after five minutes in which `progress` did not change: only what hangs takes that
 * long, on any machine.
 */
export const until = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  progress: () => unknown = () => undefined,
): Promise<void> => {
  let last = progress();
  let since = performance.now();
  while (!(await isSo())) {
    await after(50);
    if (progress() !== last) since = performance.now();
    last = progress();
    if (performance.now() - since > patience) throw new Error(`It never came to this: ${what}.`);
  }
};
