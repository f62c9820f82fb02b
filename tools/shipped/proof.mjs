import { join } from 'node:path';
import { run } from './run.mjs';

/** A killed worker's accounts are taken over within 20 seconds; a busy machine takes longer. */
const timeout = 300_000;

/**
 * The packed command repeats the proof of delivery: a few histories in the simulator, and processes that are killed.
 * @returns {Promise<readonly string[]>}
 */
export const proofFaults = async ({ folder, nodes: [node] }) => {
  const command = join(folder, 'node_modules/@partnerkit/testing/dist/partnerkit-testing.js');
  const { code, out, err } = await run(node.path, [command, 'prove', '--seconds', '6'], { cwd: folder, timeout });
  const proved = out.split('No law is broken.').length - 1;
  return code === 0 && proved === 2 ? [] : [`prove ended with ${code}, and ${proved} of 2 parts held: ${out}${err}`];
};
