import { join } from 'node:path';
import { run } from './run.mjs';

/** Ends what hangs; it measures nothing. */
const timeout = 300_000;

/**
 * The sender and the access tokens of `@partnerkit/node` pass their contracts on the oldest Node.js and on this one.
 * @returns {Promise<{ told: string, faults: readonly string[] }>}
 */
export const contractFaults = async ({ folder, nodes }) => {
  const faults = [];
  for (const { version, path } of [nodes[0], nodes.at(-1)]) {
    const { code, out, err } = await run(path, ['--test', join(folder, 'contracts.mjs')], { cwd: folder, timeout });
    if (code !== 0) faults.push(`Node.js ${version} ended with ${code}: ${out}${err}`);
  }
  return { told: `Node.js ${nodes[0].version} and ${nodes.at(-1).version}`, faults };
};
