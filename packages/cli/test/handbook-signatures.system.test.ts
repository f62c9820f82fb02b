import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, marketplace, newHandbook } from './handbook-platform.ts';
import { judge, programs, type Question } from './handbook-programs.ts';

/** Starting a compiler for each question takes long: `npm run test:long` asks them. */
const slow = ['Java', 'Go', 'C#'];

/** The request that a page shows as a vector. */
const vectorOf = (page: string) => {
  const [command = ''] = blocksOf(page, 'sh').filter((block) => block.startsWith('curl'));
  const headers = [...command.matchAll(/-H '([^:]+): ([^']*)'/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const [, body = ''] = /--data-binary '(.*)'$/.exec(command) ?? [];
  const [, secret = ''] = /^Secret: `(.*)`$/m.exec(page) ?? [];
  return { headers: headers.slice(1).map(([, value]) => value), body, secret };
};

const codesOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/^#### (\S+)\n\n(`{3,})[^\n]*\n([\s\S]*?)\n\2$/gm)].map(([, language = '', , code = '']) => [
      language,
      `${code}\n`,
    ]),
  );

const hasCommands = spawnSync('sh', ['-c', 'command -v python3 && command -v curl']).status === 0;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

test.skipIf(!hasCommands)(
  'the receiver of the first page takes its event once, and refuses a changed one',
  async () => {
    const out = await newHandbook(marketplace());
    const page = readFileSync(join(out, 'en', 'start.md'), 'utf8');
    const port = String(await freePort());
    const [program = ''] = blocksOf(page, 'python').map((code) => code.replace('8000', port));
    const [start = '', send = ''] = blocksOf(page, 'sh').map((code) => code.replace('8000', port));
    writeFileSync(join(out, 'receiver.py'), program);
    // The shell becomes the program, which can be ended then.
    const receiver = spawn('sh', ['-c', start.replace('python3', 'exec python3')], { cwd: out });
    let printed = '';
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    const ended = once(receiver, 'close');
    try {
      const ask = (command: string): string =>
        spawnSync(
          'sh',
          ['-c', command.replace('curl', 'curl --silent --retry 60 --retry-connrefused --retry-delay 1')],
          {
            encoding: 'utf8',
          },
        ).stdout.split(/\r?\n/)[0] ?? '';
      expect(ask(send)).toContain(' 204 ');
      expect(ask(send)).toContain(' 204 ');
      expect(ask(send.replace('example_1', 'example_2'))).toContain(' 401 ');
      expect(ask(send.replace(/X-WEBHOOK-SIGNATURE: /, 'X-Other: '))).toContain(' 401 ');
    } finally {
      receiver.kill();
      await ended;
    }
    expect(printed).toBe("signature {'id': 'example_1'}\n");
  },
);

const schemes = {
  'the specification': '',
  'SHA-256 with a prefix':
    "signatures: [wire.hmac({ header: 'X-Lagoon', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' })],",
  'SHA-384': "signatures: [wire.hmac({ header: 'X-Lagoon', algorithm: 'sha384', encoding: 'hex' })],",
  'Standard Webhooks': 'signatures: [wire.standardWebhooks()],',
} as const;

describe.each(Object.entries(schemes))('the page about %s', (scheme, webhooks) => {
  let page = '';
  beforeAll(async () => {
    page = readFileSync(
      join(await newHandbook(marketplace(`webhooks: { ${webhooks} },`)), 'en', 'signature.md'),
      'utf8',
    );
  });

  test('has code in eight languages', () => {
    expect([...codesOf(page).keys()]).toEqual(Object.keys(programs));
  });

  test.for(Object.keys(programs))(
    'its code in %s accepts the vector, and refuses each change of it',
    (language, { skip }) => {
      const isLong = process.env['LONG_TESTS'] === '1';
      skip(slow.includes(language) && !isLong, `${language} is compiled for each question: npm run test:long`);
      const vector = vectorOf(page);
      const now = scheme === 'Standard Webhooks' ? 1_798_761_600 : undefined;
      const genuine: Question = { ...vector, ...(now === undefined ? {} : { now }) };
      const code = codesOf(page).get(language) ?? '';
      const accepted = judge(language, code, genuine);
      skip(accepted === undefined, `${language} is not on this machine`);
      expect(accepted).toBe(true);
      const changed: readonly Question[] = [
        { ...genuine, body: genuine.body.replace('example_1', 'example_2') },
        { ...genuine, body: `${genuine.body}\n` },
        { ...genuine, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
        {
          ...genuine,
          headers: genuine.headers.map((value, place) => (place === genuine.headers.length - 1 ? '' : value)),
        },
        ...(now === undefined
          ? []
          : [
              { ...genuine, now: now + 301 },
              { ...genuine, headers: ['x', ...genuine.headers.slice(1)] },
            ]),
      ];
      for (const question of changed) expect(judge(language, code, question), JSON.stringify(question)).toBe(false);
    },
  );
});

test('a scheme that receivers in few languages can verify has a vector without code', async () => {
  const key = "ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(3) }] })";
  const out = await newHandbook(marketplace(`webhooks: { signatures: [wire.${key}] },`));
  const page = readFileSync(join(out, 'en', 'signature.md'), 'utf8');
  // The public key that belongs to 32 bytes of 7, as a library computes it, and not that of the platform.
  expect(page).toContain('Public key: `6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw`');
  expect(page).toContain('https://api.lagoon.example/.well-known/webhook-keys.json');
  expect(codesOf(page).size).toBe(0);
});
