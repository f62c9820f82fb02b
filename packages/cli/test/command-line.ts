import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../src/run.ts';
import type { Surroundings } from '../src/surroundings.ts';

/** A folder of its own. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'partnerkit-cli-'));

/** Writes a file to a folder of its own, and returns its path. */
export const fileOf = (content: string | Uint8Array, name = 'file'): string => {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
};

/** Collects what is written, and wakes who waits for it. */
const collector = () => {
  let text = '';
  const waiting = new Set<() => void>();
  return {
    stream: {
      write: (chunk: string) => {
        text += chunk;
        for (const wake of waiting) wake();
        return true;
      },
    } as unknown as NodeJS.WritableStream,
    text: () => text,
    includes: (part: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (text.includes(part)) resolve();
        };
        waiting.add(look);
        look();
      }),
  };
};

/** Starts a command line. `stop` ends a command that runs until it is interrupted. */
export const start = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  more: Pick<Surroundings, 'clock'> = {},
) => {
  const [stdout, stderr] = [collector(), collector()];
  let stop = (): void => {};
  const interrupted = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const exitCode = run(args, {
    ...more,
    environment,
    folder: newFolder(),
    stdout: stdout.stream,
    stderr: stderr.stream,
    interrupted,
  });
  return { exitCode, stdout, stderr, stop };
};

/** Runs a command line to its end. */
export const execute = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const { exitCode, stdout, stderr } = start(args, environment);
  return { exitCode: await exitCode, stdout: stdout.text(), stderr: stderr.text() };
};
