import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

const file = new URL('../released-migrations.json', import.meta.url);

/** The frozen fields of a step, as databases of hosts store them. */
const frozen = ({ version, name, worksFrom, sql }) => ({
  version,
  name,
  worksFrom,
  sha256: createHash('sha256').update(sql).digest('hex'),
});

/** `[{ release: '0.1.0', version: 1, name: 'initial', worksFrom: 1, sha256: '…' }]`, in order. */
export const pinned = async () => JSON.parse(await readFile(file, 'utf8'));

/**
 * A released step is never changed, renamed, moved or removed, because databases have run it.
 * @param {readonly { version: number, name: string, worksFrom: number, sql: string }[]} migrations
 * @returns {Promise<readonly string[]>}
 */
export const migrationFaults = async (migrations) => {
  const pins = await pinned();
  const changed = pins.filter(({ release: _, ...pin }, at) => {
    const there = migrations[at] && frozen(migrations[at]);
    return JSON.stringify(there) !== JSON.stringify(pin);
  });
  const misplaced = migrations.filter(({ version }, at) => version !== at + 1);
  return [
    ...changed.map(
      ({ version, name, release }) =>
        `Step ${version} (${name}) is not as ${release} released it. Put it back, and write what you want as a new step.`,
    ),
    ...misplaced.map(({ version, name }) => `Step ${version} (${name}) is out of order.`),
  ];
};

/**
 * Freezes the unreleased steps.
 * @returns {Promise<readonly { version: number, name: string }[]>}
 */
export const pin = async (migrations, release) => {
  const pins = await pinned();
  const fresh = migrations.slice(pins.length).map((step) => ({ release, ...frozen(step) }));
  if (fresh.length > 0) await writeFile(file, `${JSON.stringify([...pins, ...fresh], null, 2)}\n`);
  return fresh;
};
