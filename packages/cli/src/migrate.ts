import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CliError } from './cli-error.ts';

/** The command of @partnerkit/postgres, as it is installed in a folder. */
const findCommand = (folder: string): string => {
  const require = createRequire(join(folder, 'package.json'));
  try {
    const manifest = require.resolve('@partnerkit/postgres/package.json');
    const { bin }: { bin: Readonly<Record<string, string>> } = require(manifest);
    return join(dirname(manifest), bin['partnerkit-postgres'] ?? '');
  } catch {
    throw new CliError('@partnerkit/postgres is not installed here: npm install @partnerkit/postgres pg');
  }
};

/** Runs the migrations of @partnerkit/postgres in a process of its own. Resolves to its exit code. @internal */
export const migrate = (args: readonly string[], folder: string): Promise<number> => {
  const command = findCommand(folder);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, command, 'migrate', ...args], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
};
