import { spawnSync } from 'node:child_process';

export interface Run {
  readonly input: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a command of this machine prints. One that is missing is an error: nothing here passes for want of it. */
export const run = (command: string, args: readonly string[], { input, env = {} }: Run): string => {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    input,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (error) throw new Error(`These tests run "${command}", and it cannot be run: install it.`, { cause: error });
  if (status !== 0) throw new Error(`"${command}" ended with ${status}: ${stderr}`);
  return stdout.trim();
};
