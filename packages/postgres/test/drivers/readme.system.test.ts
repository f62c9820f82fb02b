import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { compileCache } from '../../../../tools/tests/compile-cache.ts';
import { sized } from '../../../../tools/tests/effort.ts';
import { problemsOf } from '../support/compile.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const root = new URL('../../', import.meta.url);
const pages = [new URL('../../docs/packages/postgres.md', root), new URL('../../docs/guides/executors.md', root)];
// What this package does not know comes from where it lies.
const fences = pages
  .flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)])
  .map(([, source = '']) =>
    source
      .replace("'@partnerkit/receiver'", "'../receiver/src/index.ts'")
      .replace("'./data'", "'memory://'")
      .replace("'./generated/prisma/client.ts'", JSON.stringify(inject('prisma'))),
  );

/** What the pages say stands for something. */
const preamble = `
import { defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { z } from 'zod';
const options = {
  accounts: memoryAccounts([]),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
  objects: [defineObject('RequestPayment', { schema: z.object({ id: z.string() }), groups: {}, events: { default: [] } })],
} as const;
const event = { accountId: 'acc_1', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } } as const;
const webhookSecret = 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0';
`;
const examples = fences.map((source, index) => ({ name: `example ${index + 1}`, source: `${preamble}${source}` }));

beforeAll(async () => {
  await database.pool().query(`
    create table public.payments (id text, paid boolean not null);
    insert into public.payments values ('p1', false)`);
});

test('examples compile', () => {
  expect(problemsOf(examples.map(({ source }) => source))).toEqual([]);
});

/** Making a database of PGlite takes seconds of CPU. */
const quick = sized(
  examples.filter(({ source }) => !source.includes('pglite')),
  examples,
);

describe('examples run', () => {
  test.each(quick)('$name', async ({ source }) => {
    const address = new URL(database.url());
    address.searchParams.set('options', '-c search_path=public');
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module-typescript', '-'], {
      cwd: fileURLToPath(root),
      env: { ...compileCache, DATABASE_URL: address.href },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.end(`${source}\nprocess.exit(0);`);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('and publish with every driver', async () => {
    const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.outbox');
    expect(rows).toEqual([{ count: 8 }]);
  });
});
