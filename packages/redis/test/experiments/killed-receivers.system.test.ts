import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { expect, inject, onTestFinished, test } from 'vitest';
import { kills, sendTwice } from '../../../receiver/test/processes/platform.ts';
import { entriesOf, type JournalTask } from './journal.ts';

const command = fileURLToPath(new URL('./receiver-process.ts', import.meta.url));
const hour = 3_600_000;

const openJournal = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'journal');
};

const openKeys = async () => {
  const url = inject('redis');
  const prefix = `test:${randomUUID()}:`;
  const client = await createClient({ url }).connect();
  const forEach = async (act: (keys: readonly string[]) => Promise<unknown>): Promise<void> => {
    // A page without a matching key is empty, and DEL needs one.
    for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 }))
      if (keys.length > 0) await act(keys);
  };
  onTestFinished(async () => {
    await forEach((keys) => client.del([...keys]));
    client.destroy();
  });
  return {
    url,
    prefix,
    /** Leases lapse. What is done is kept for days. */
    elapse: () =>
      forEach((keys) =>
        Promise.all(
          keys.map(async (key) => {
            if ((await client.pTTL(key)) <= hour) await client.del(key);
          }),
        ),
      ),
  };
};

test('ten receivers killed one after another lose nothing and repeat only unconfirmed work', async () => {
  const journal = await openJournal();
  const { url, prefix, elapse } = await openKeys();
  const { keys, killed, answers, lost } = await sendTwice<JournalTask>({
    command,
    task: { url, prefix, journal },
    seed: 20_250_612,
    elapse,
  });
  expect(killed).toBe(kills);
  // They were killed at work.
  expect(lost).toBeGreaterThan(0);
  expect(answers.get(503)).toBeGreaterThan(0);

  const entries = entriesOf(await readFile(journal, 'utf8'));
  const effects = entries.filter(({ what }) => what === 'effect');
  const byKey = Map.groupBy(effects, ({ key }) => key);
  expect([...byKey.keys()].toSorted()).toEqual(keys.toSorted());
  // Each was taken under a lease of its own.
  expect(new Set(effects.map(({ lease }) => lease)).size).toBe(effects.length);

  const confirmed = new Set(entries.filter(({ what }) => what === 'confirmed').map(({ lease }) => lease));
  const unconfirmed = effects.filter(({ lease }) => !confirmed.has(lease));
  expect(unconfirmed.filter(({ process }) => Number(process) >= killed)).toEqual([]);

  const repeated = [...byKey.values()].flatMap((all) => all.slice(0, -1));
  expect(repeated.filter(({ lease }) => confirmed.has(lease))).toEqual([]);
});
