import { join } from 'node:path';
import { run } from './run.mjs';

/** A killed worker's accounts are taken over within 20 seconds; a busy machine takes longer. */
const timeout = 300_000;

/**
 * The packed command repeats the proof of delivery: a few histories in the simulator, and processes that are killed.
 * The oldest Node.js has no SQLite, and leaves the processes out.
 * @returns {Promise<readonly string[]>}
 */
export const proofFaults = async ({ folder, nodes }) => {
  const command = join(folder, 'node_modules/@partnerkit/conformance/dist/partnerkit-conformance.js');
  const prove = async (node, parts) => {
    const { code, out, err } = await run(node.path, [command, 'prove', '--seconds', '6'], { cwd: folder, timeout });
    const proved = out.split('No law is broken.').length - 1;
    return code === 0 && proved === parts
      ? []
      : [`prove ended with ${code} on Node.js ${node.version}, and ${proved} of ${parts} parts held: ${out}${err}`];
  };
  return [...(await prove(nodes[0], 1)), ...(await prove(nodes.at(-1), 2))];
};
