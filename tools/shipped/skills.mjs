import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../../packages/workshop/src/services/index.ts';
import { skills } from '../docs/skills.mjs';
import { fencesOf } from '../docs/snippets.mjs';
import { walkPage } from '../docs/walk.mjs';
import { startRegistry } from './registry.mjs';
import { mustRun } from './run.mjs';

/** The text of a skill as it is packed. */
const packedText = (packages, file) => {
  const [, folder, ...path] = file.split('/');
  return readFile(join(packages.find((each) => each.folder === folder).unpacked, ...path), 'utf8');
};

/**
 * The packed skills, literally: an empty application with Fastify and Drizzle becomes a platform, a webhook arrives,
 * and a client calls.
 * @param {{ folder: string, packages: readonly import('./tarballs.mjs').Packed[] }} options
 * @returns {Promise<{ faults: readonly string[] }>}
 */
export const skillWalkFaults = async ({ folder, packages }) => {
  const texts = await Promise.all(skills.map((file) => packedText(packages, file)));
  const fences = skills.flatMap((file, at) => fencesOf(file, texts[at]));
  const { env, close } = await startRegistry(packages);
  const database = await startPostgres();
  try {
    await mkdir(folder, { recursive: true });
    const application = 'npm init -y && npm pkg set type=module && npm install fastify drizzle-orm pg';
    await mustRun('bash', ['-e', '-c', application], { cwd: folder });
    return { faults: await walkPage(fences, { folder, env: { ...env, DATABASE_URL: database.url }, installs: true }) };
  } finally {
    await database.stop();
    close();
  }
};
