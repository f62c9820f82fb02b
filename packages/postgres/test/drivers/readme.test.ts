import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
// A package that this one does not know comes from where it lies.
const fences = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, source = '']) =>
  source.replace("'@partnerkit/receiver'", "'../receiver/src/index.ts'"),
);

/** What the README says stands for something. */
const preamble = `
import { defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { z } from 'zod';
const options = {
  accounts: memoryAccounts([]),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
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
  const config = fileURLToPath(new URL('../../tsconfig.json', root));
  const parsed = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  const sources = new Map(
    examples.map(({ source }, index) => [fileURLToPath(new URL(`readme-${index}.ts`, root)), source]),
  );
  const compiled: ts.CompilerOptions = {
    ...parsed?.options,
    noPropertyAccessFromIndexSignature: false,
    noUnusedLocals: false,
  };
  const host = ts.createCompilerHost(compiled);
  const { readFile, fileExists } = host;
  host.readFile = (file) => sources.get(file) ?? readFile(file);
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  const program = ts.createProgram([...sources.keys()], compiled, host);
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(problems).toEqual([]);
});

describe('examples run', () => {
  test.each(examples)('$name', async ({ source }) => {
    const address = new URL(database.url());
    address.searchParams.set('options', '-c search_path=public');
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module-typescript', '-'], {
      cwd: fileURLToPath(root),
      env: { DATABASE_URL: address.href },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.end(`${source}\nprocess.exit(0);`);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('and publish with every driver', async () => {
    const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.outbox');
    expect(rows).toEqual([{ count: 3 }]);
  });
});
