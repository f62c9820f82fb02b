import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../packages.ts';
import { oldestNodes, oldestTypeScript } from './projects.mjs';

const page = 'docs/start/packages.md';

/** `22.12.0` is stated as `22.12`. */
const stated = (version) => version.split('.', 2).join('.');

/**
 * The page of packages and `engines` must agree with the checked versions.
 * @returns {Promise<{ told: string, faults: readonly string[] }>}
 */
export const statementFaults = async (packages, semver) => {
  const text = await readFile(join(root, page), 'utf8');
  const nodes = oldestNodes(packages, semver).map(stated);
  const wanted = [...nodes, `TypeScript ${stated(oldestTypeScript)}`];
  const missing = wanted.filter((words) => !text.includes(words));
  return { told: wanted.join(', '), faults: missing.map((words) => `${page} does not say ${words}`) };
};
