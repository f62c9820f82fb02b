import { join } from 'node:path';
import { onEveryCore, run, toldOnce } from './run.mjs';

/** Nothing here waits, so a program that takes longer is stuck. */
const timeout = 120_000;
const formats = ['esm', 'cjs'];

/** The packages of every host; the guarded sender and its certificates need more. */
const guarded = ['@partnerkit/node', '@partnerkit/testing'];

/** Whether these packages, or all, support this version. */
export const runsOn = (packages, names, version, semver) =>
  packages
    .filter(({ name }) => names === undefined || names.includes(name))
    .every(({ manifest }) => semver.satisfies(version, manifest.engines.node));

/**
 * Starts the hosts on each Node.js, as an ES module and as CommonJS. Each must log in, publish, receive its webhook,
 * and end by itself.
 * @returns {Promise<{ told: string, faults: readonly string[] }>}
 */
export const hostFaults = async ({
  folder,
  out,
  nodes,
  packages,
  semver,
  frameworks = ['express', 'fastify', 'hono'],
}) => {
  const cases = nodes.flatMap((node) => formats.map((format) => ({ node, format })));
  const ended = await onEveryCore(cases, async ({ node, format }) => {
    const network = runsOn(packages, guarded, node.version, semver) ? 'guarded' : 'own';
    const asked = [join(out, format, 'main.js'), network, ...frameworks];
    const { code, out: told, err } = await run(node.path, asked, { cwd: folder, timeout: timeout });
    const where = `Node.js ${node.version}, ${format}, ${network} sender`;
    // A program with forever pending promises ends with 0 as well.
    const lived = frameworks.every((name) => told.includes(`${name}: `));
    if (code === 0 && err === '' && lived) return [];
    return [{ where, fault: `ended with ${code}${code === null ? ' (it hung)' : ''}: ${told}${err.trim()}` }];
  });
  return { told: `${cases.length} times, on ${frameworks.join(', ')}`, faults: toldOnce(ended.flat(), cases.length) };
};
