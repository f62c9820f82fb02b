import { join } from 'node:path';
import { onEveryCore, run, toldOnce } from './run.mjs';

/** Nothing waits for anybody, so whatever takes longer hangs. */
const patience = 120_000;
const formats = ['esm', 'cjs'];

/** The packages that a host needs however it sends; the guarded sender and its certificates need more. */
const guarded = ['@partnerkit/undici', '@partnerkit/testing'];

/** Whether every package of these, or all, says that it runs there. */
export const runsOn = (packages, names, version, semver) =>
  packages
    .filter(({ name }) => names === undefined || names.includes(name))
    .every(({ manifest }) => semver.satisfies(version, manifest.engines.node));

/**
 * Starts the hosts on each Node.js, as an ES module and as CommonJS. Each has to log in, publish, be delivered to, and end by itself.
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
    const { code, out: told, err } = await run(node.path, asked, { cwd: folder, timeout: patience });
    const where = `Node.js ${node.version}, ${format}, ${network} sender`;
    // A program whose promises wait for nothing ends with 0 as well.
    const lived = frameworks.every((name) => told.includes(`${name}: `));
    if (code === 0 && err === '' && lived) return [];
    return [{ where, fault: `ended with ${code}${code === null ? ' (it hung)' : ''}: ${told}${err.trim()}` }];
  });
  return { told: `${cases.length} times, on ${frameworks.join(', ')}`, faults: toldOnce(ended.flat(), cases.length) };
};
