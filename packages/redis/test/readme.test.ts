import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { hour, minute } from '@partnerkit/core';
import { createClient } from 'redis';
import ts from 'typescript';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { redisClientNews, redisInbox, redisRateLimiter, redisSeenKeys } from '../src/index.ts';
import { nodeRedis } from './support/clients.ts';
import { open, ownRedis } from './support/servers.ts';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
// A package that this one does not know comes from where it lies.
const fences = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, source = '']) =>
  source
    .replace("'@partnerkit/receiver'", "'../receiver/src/index.ts'")
    .replace("'@partnerkit/redis'", "'./src/index.ts'"),
);

/** What the README says stands for something. */
const preamble = `
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
const options = {
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
  objects: [],
} as const;
const webhookSecret = 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0';
`;
const examples = fences.map((source, index) => ({ name: `example ${index + 1}`, source: `${preamble}${source}` }));

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
    exactOptionalPropertyTypes: false,
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
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module-typescript', '-'], {
      cwd: fileURLToPath(root),
      env: { REDIS_URL: inject('redis') },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.end(`${source}\nprocess.exit(0);`);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

test('the rights are enough, and none is needless', async () => {
  const server = await ownRedis();
  const admin = (await open(nodeRedis(server.url))).client;
  const [line = ''] = /^ACL SETUSER .*$/m.exec(readme) ?? [];
  const words = line.split(' ');
  const everything = async (withoutRight?: string): Promise<void> => {
    await admin.scriptFlush();
    const user = `u${randomUUID().replaceAll('-', '')}`;
    await admin.sendCommand(
      words.filter((word) => word !== withoutRight).map((word) => (word === 'partnerkit' ? user : word)),
    );
    const url = new URL(server.url);
    url.username = user;
    url.password = 'password';
    const client = await createClient({ url: url.href }).connect();
    onTestFinished(() => client.destroy());
    const options = { prefix: `partnerkit:${user}:` };
    const seen = redisSeenKeys(client, options);
    for (const end of ['confirm', 'release'] as const) {
      const claim = await seen.claim(end, minute);
      const lease = claim.kind === 'claimed' ? claim.lease : '';
      await (end === 'confirm' ? seen.confirm(end, lease, hour) : seen.release(end, lease));
    }
    const limiter = redisRateLimiter(client, options);
    for (let times = 0; times < 3; times++) await limiter.take('k', { points: 2, window: hour });
    await limiter.giveBack('k');
    const news = redisClientNews(client, options);
    const { mark } = await news.since(undefined);
    await news.tell('a');
    await news.since(mark);
    const inbox = redisInbox(client, options);
    for (const key of ['done', 'parked']) await inbox.keep(key, 'body');
    const [first, second] = await inbox.take(2, minute);
    await inbox.done(first?.key ?? '', first?.lease ?? '', hour);
    await inbox.park(second?.key ?? '', second?.lease ?? '');
    await inbox.look(1);
    await inbox.resume([second?.key ?? '']);
  };
  await everything();
  const needless: string[] = [];
  for (const right of words.filter((word) => word.startsWith('+'))) {
    await everything(right).then(
      () => needless.push(right),
      () => undefined,
    );
  }
  expect(needless).toEqual([]);
});
