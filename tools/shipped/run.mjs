import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Nothing here takes longer, unless it is stuck. */
const defaultTimeout = 300_000;

/**
 * Runs a program, and resolves to its output; `code` is null after a time-out.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, timeout?: number, env?: NodeJS.ProcessEnv }} [options] timeout in milliseconds
 * @returns {Promise<{ code: number | null, out: string, err: string }>}
 */
export const run = (command, args, { timeout = defaultTimeout, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
      ...options,
    });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said.err += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...said }));
  });

/** Like {@link run}. @throws Error with the whole output, unless it ended with 0. */
export const mustRun = async (command, args, options) => {
  const ended = await run(command, args, options);
  if (ended.code !== 0)
    throw new Error(`${[command, ...args].join(' ')} ended with ${ended.code}:\n${ended.out}${ended.err}`);
  return ended;
};

/** The results of all items, in order; as many run at once as there are cores. */
export const onEveryCore = async (items, act) => {
  const answers = new Array(items.length);
  let next = 0;
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) answers[at] = await act(items[at]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return answers;
};

/**
 * Reports a fault of several places once.
 * @param {readonly { where: string, fault: string }[]} found
 * @param {number} places how many there are
 */
export const toldOnce = (found, places) => {
  const faults = [...new Set(found.map(({ fault }) => fault))];
  return faults.map((fault) => {
    const where = found.filter((each) => each.fault === fault).map((each) => each.where);
    return `${fault} [${where.length === places ? 'everywhere' : where.join('; ')}]`;
  });
};
