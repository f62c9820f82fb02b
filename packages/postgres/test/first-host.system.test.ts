import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';
import { migrate } from '../src/index.ts';
import { emptyDatabase } from './migrations/databases.ts';

/** A host that is written from the guide alone: what its log says of each mistake of a first use. */
const server = inject('postgres');
const docs = new URL('../../../docs/', import.meta.url);
const tools = new URL('../../../tools/docs/', import.meta.url);

interface Fence {
  readonly language: string;
  readonly marks: readonly string[];
  readonly source: string;
}
const { openWorkshop } = (await import(new URL('workshop.mjs', tools).href)) as {
  openWorkshop(): { readonly folder: string; close(): void };
};
const { fencesOf } = (await import(new URL('snippets.mjs', tools).href)) as {
  fencesOf(file: string, text: string): readonly Fence[];
};
const fences = ['start/wiring.md', 'start/express.md'].flatMap((page) =>
  fencesOf(page, readFileSync(new URL(page, docs), 'utf8')),
);

const keys = {
  PARTNERKIT_SECRET: randomBytes(32).toString('base64'),
};

type Edit = readonly [file: string, from: string, to: string];

/** Writes the files of the guide, with the mistakes that the host makes, and runs one of them. */
const run = (file: string, env: Readonly<Record<string, string>>, edits: readonly Edit[] = []) => {
  const workshop = openWorkshop();
  onTestFinished(() => workshop.close());
  for (const { marks, source } of fences) {
    const name = marks.find((mark) => mark.endsWith('.ts'));
    if (name === undefined) continue;
    const mine = edits.filter(([edited]) => edited === name);
    for (const [, from] of mine) expect(source).toContain(from);
    writeFileSync(
      join(workshop.folder, name),
      mine.reduce((text, [, from, to]) => text.replace(from, to), source),
    );
  }
  const child = spawn(process.execPath, ['--conditions=source', file], {
    cwd: workshop.folder,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...compileCache, ...keys, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const log = { text: '' };
  const listening = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        log.text += chunk;
        if (/^listening/m.test(log.text)) resolve();
      });
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, log, ended, listening };
};

const times = (text: string, part: string): number => text.split(part).length - 1;

/** A database with the host's own tables, and whether it was migrated. */
const database = async (migrated: boolean) => {
  const { url, pool } = await emptyDatabase(server);
  const tables = fences.find(({ language }) => language === 'sql');
  await pool.query(tables?.source ?? '');
  if (migrated) await migrate(pool);
  return { pool, env: { DATABASE_URL: url } };
};

const howTo = 'schema "partnerkit" is at version 0 and 1 is needed: run `npx @partnerkit/postgres migrate`';

test.each(['server-express.ts', 'worker.ts'])(
  'the migration was forgotten: %s ends, and its log says once what to run',
  async (file) => {
    const { env } = await database(false);
    const { log, ended } = run(file, env);
    expect(await ended).toBe(1);
    expect(times(log.text, howTo), log.text).toBe(1);
  },
);

test('the migration was forgotten, and the kit is not checked: the log of the worker says what to run', async () => {
  const { env } = await database(false);
  const { child, log, ended, listening } = run('worker.ts', env, [
    ['worker.ts', 'if (ready.isErr()) throw new Error(ready.error.message);', ''],
  ]);
  await listening;
  await expect.poll(() => log.text, { timeout: 240_000 }).toContain(howTo);
  expect(log.text).toContain("{ during: 'heartbeat', count: 1 }");
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('the pool was handed over as tx: the request fails, nothing is stored, and the log says once what to hand over', async () => {
  const { pool, env } = await database(true);
  const { child, log, ended, listening } = run('server-express.ts', env, [
    ['payments.ts', '{ tx: client }', '{ tx: pool }'],
  ]);
  await listening;
  const [, port] = /port: (\d+)/.exec(log.text) ?? [];
  const { status } = await fetch(`http://127.0.0.1:${port}/payments/pay_1/paid`, { method: 'POST' });
  expect(status).toBe(500);
  const message =
    'no_transaction: tx: a pool is no open transaction, since each statement may run on another connection';
  // Express answers first, and logs then.
  await expect.poll(() => times(log.text, message), { timeout: 240_000 }).toBe(1);
  expect(log.text).toContain('hand over the client of pool.connect() on which you awaited begin');
  const { rows } = await pool.query('select status from payments');
  expect(rows).toEqual([{ status: 'pending' }]);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('an endpoint on localhost without development: the log says once which option to set', async () => {
  const { pool, env } = await database(true);
  const { log, ended } = run('let-in.ts', env, [
    ['let-in.ts', 'https://partner.example/webhooks', 'https://localhost:3443/webhooks'],
  ]);
  expect(await ended).toBe(1);
  const message =
    'url: this address is not public, so nothing is sent to it. The sender\'s option "development" opens loopback';
  expect(times(log.text, message), log.text).toBe(1);
  const { rows } = await pool.query('select count(*)::int as endpoints from partnerkit.endpoints');
  expect(rows).toEqual([{ endpoints: 0 }]);
});

test('the same endpoint with development is made', async () => {
  const { env } = await database(true);
  const { log, ended } = run('let-in.ts', env, [
    ['let-in.ts', 'https://partner.example/webhooks', 'https://localhost:3443/webhooks'],
    ['kit.ts', 'defineObject }', 'defineObject, httpsSender }'],
    ['kit.ts', 'objects: [payment],', 'objects: [payment], sender: httpsSender({ development: true }),'],
  ]);
  expect(await ended, log.text).toBe(0);
  expect(log.text).toContain('whsec_');
});

test.each([
  ['PARTNERKIT_SECRET', '', 'createPartnerkit: the option secret is missing. Make one with: node -p'],
  ['PARTNERKIT_SECRET', 'c2hvcnQ=', 'the option secret has 8 characters, and is not 32 bytes in Base64.'],
])('%s is %j: the log says once what to do', async (name, value, message) => {
  const { env } = await database(true);
  const { log, ended } = run('worker.ts', { ...env, [name]: value });
  expect(await ended).toBe(1);
  expect(times(log.text, message), log.text).toBe(1);
});

test('the database is not there: the log says that storage did not answer, and why', async () => {
  const { log, ended } = run('worker.ts', { DATABASE_URL: 'postgres://postgres@127.0.0.1:9/postgres' });
  expect(await ended).toBe(1);
  expect(times(log.text, 'storage: did not answer (ECONNREFUSED): is it running, and are its address'), log.text).toBe(
    1,
  );
});

test('nothing is wrong: the worker ends well on Ctrl+C', async () => {
  const { env } = await database(true);
  const { child, ended, listening } = run('worker.ts', env);
  await listening;
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});
