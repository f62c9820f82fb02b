import { expect, onTestFinished } from 'vitest';
import { openChildren } from '../../../workshop/src/processes/index.ts';
import type { HostTask } from './host-task.ts';

/** Starts host processes one after the other, and kills each when it has stopped in the middle of a command. */
export const killHosts = async (
  { command, database, kills }: { readonly command: string; readonly database: string; readonly kills: number },
  afterKill: () => Promise<unknown> = async () => {},
): Promise<void> => {
  let stopped = Promise.withResolvers<void>();
  const children = openChildren<HostTask, 'stopped'>({ command, hear: () => stopped.resolve() });
  onTestFinished(children.killAll);
  for (let nth = 0; nth < kills; nth++) {
    stopped = Promise.withResolvers();
    const host = children.start({ role: 'host', database, nth });
    await stopped.promise;
    await host.kill();
    await afterKill();
  }
  expect(children.unexpected).toEqual([]);
};
