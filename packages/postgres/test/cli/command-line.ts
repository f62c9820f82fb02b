import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in a process of its own that knows of no database but what `environment` tells. */
export const commandLine = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  file = command,
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...environment } };
    const child = execFile(process.execPath, [file, ...args], options, (_failed, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
