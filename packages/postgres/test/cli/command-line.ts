import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../../../tools/tests/compile-cache.ts';

const command = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface How {
  readonly file?: string;
  /** Whoever reads ends before anything is printed. */
  readonly stopsReading?: boolean;
}

/** Runs the command in a process of its own that knows of no database but what `environment` tells. */
export const commandLine = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { file = command, stopsReading = false }: How = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...compileCache, ...environment } };
    const child = execFile(process.execPath, [file, ...args], options, (_failed, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    if (stopsReading) child.stdout?.destroy();
  });
