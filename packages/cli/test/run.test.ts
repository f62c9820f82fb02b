import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { signatureHeader, signBody, signingKey } from '@partnerkit/core/wire';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, fileOf, newFolder, start } from './command-line.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const environment = { WEBHOOK_SECRET: secret, HOME: newFolder() };

/** A server that answers each request with the next status, and keeps what it got. */
const serve = async (...statuses: readonly number[]) => {
  const requests: { readonly headers: object; readonly body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    requests.push({ headers: request.headers, body });
    response.writeHead(statuses[requests.length - 1] ?? statuses.at(-1) ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, requests, close: () => void server.close() };
};

describe('listen', () => {
  const certificates = newFolder();
  const recordings = newFolder();
  let listening: ReturnType<typeof start>;
  let application: Awaited<ReturnType<typeof serve>>;
  let url = '';

  beforeAll(async () => {
    application = await serve(204, 500, 200, 299, 300);
    const places = ['--cert', certificates, '--record', recordings, '--forward-to', application.url];
    listening = start(['listen', '--port', '0', ...places], environment);
    await listening.stderr.includes('cert.pem');
    url = /https:\S+/.exec(listening.stderr.text())?.[0] ?? '';
  });
  afterAll(async () => {
    listening.stop();
    expect(await listening.exitCode).toBe(0);
    application.close();
  });

  const send = (...more: readonly string[]) =>
    execute(
      ['send', url, '--event', 'RequestPayment.payed', '--ca', join(certificates, 'cert.pem'), ...more],
      environment,
    );

  test('verifies, deduplicates, forwards and records what send sends', async () => {
    const { exitCode, stdout } = await send('--times', '2', '--standard');
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^204 in \d+ ms\n204 in \d+ ms\n$/)]);
    expect(listening.stdout.text()).toMatch(
      / 204 {2}forwarded: 204 {2}RequestPayment\.payed example_\S+\n.* 204 {2}duplicate /,
    );
    const [forwarded] = application.requests;
    expect(forwarded?.headers).toMatchObject({ 'webhook-id': expect.stringMatching(/^[0-9a-f-]{36}_[0-9a-f-]{36}$/) });
    expect(application.requests).toHaveLength(1);
    // The bytes are those that were signed.
    expect(forwarded?.headers).toMatchObject({
      [signatureHeader]: signBody(signingKey(secret), forwarded?.body ?? ''),
    });
    for (const file of readdirSync(recordings)) {
      const verified = await execute(['verify', join(recordings, file)], environment);
      expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining('webhook-signature is valid.')]);
    }
  });

  test('for one endpoint alone, refuses what is for another, and tells so', async () => {
    const [mine, theirs] = ['019ab7c4-8f00-7000-8000-00000000000a', '019ab7c4-8f00-7000-8000-00000000000b'];
    const key = Buffer.alloc(32, 1).toString('base64url');
    const options = ['--cert', certificates, '--port', '0', '--endpoint', mine, '--public-key', key];
    const own = start(['listen', ...options], environment);
    await own.stderr.includes('cert.pem');
    const to = /https:\S+/.exec(own.stderr.text())?.[0] ?? '';
    const sendFor = async (endpoint: string) => {
      const ca = ['--ca', join(certificates, 'cert.pem')];
      const args = ['send', to, '--event', 'RequestPayment.payed', '--standard', '--endpoint', endpoint, ...ca];
      return (await execute(args, environment)).stdout.split(' ')[0];
    };
    expect([await sendFor(mine), await sendFor(theirs)]).toEqual(['204', '401']);
    expect(own.stdout.text()).toContain(`It is for another endpoint: webhook-id names "${theirs}".`);
    own.stop();
    expect(await own.exitCode).toBe(0);
  });

  test('asks for a repetition while the application fails', async () => {
    const { exitCode, stdout } = await send('--data', fileOf('{"id":"pay_7"}'));
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('503 in')]);
    expect(listening.stdout.text()).toContain('503  forwarded: 500  RequestPayment.payed pay_7');
    expect(listening.stderr.text()).toContain(`${application.url} answered 500.`);
  });

  test('takes 200 to 299 of the application for success', async () => {
    for (const [status, exitCode] of [
      [200, 0],
      [299, 0],
      [300, 1],
    ] as const) {
      expect(await send()).toMatchObject({ exitCode });
      expect(listening.stdout.text()).toContain(`${exitCode === 0 ? 204 : 503}  forwarded: ${status}`);
    }
  });

  test('says why it refuses a signature', async () => {
    const { exitCode, stdout } = await send('--secret', `${secret}\n`);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('401 in')]);
    await listening.stdout.includes('of another secret, or of other content');
  });

  test('goes on after a request that breaks off, and after one of another path', async () => {
    const { hostname: host, port } = new URL(url);
    const broken = connect({ host, port: Number(port), ca: readFileSync(join(certificates, 'cert.pem')) });
    broken.write('POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    broken.on('secureConnect', () => setImmediate(() => broken.destroy()));
    await listening.stderr.includes('A request broke off.');
    const elsewhere = await execute(
      [
        'send',
        url.replace('/webhooks', '/x'),
        '--event',
        'RequestPayment.payed',
        '--ca',
        join(certificates, 'cert.pem'),
      ],
      environment,
    );
    expect([elsewhere.exitCode, elsewhere.stdout]).toEqual([1, expect.stringContaining('404 in')]);
    expect(listening.stdout.text()).toContain('It serves /webhooks.');
  });

  test('keeps its certificate', async () => {
    const before = readFileSync(join(certificates, 'cert.pem'), 'utf8');
    const again = start(['listen', '--port', '0', '--cert', certificates], environment);
    await again.stderr.includes('cert.pem');
    again.stop();
    expect(await again.exitCode).toBe(0);
    expect(readFileSync(join(certificates, 'cert.pem'), 'utf8')).toBe(before);
  });

  test('names the remedy when its port is taken', async () => {
    const { exitCode, stderr } = await execute(
      ['listen', '--port', new URL(url).port, '--cert', certificates],
      environment,
    );
    expect([exitCode, stderr]).toEqual([1, `Port ${new URL(url).port} is taken. Name another with --port.\n`]);
  });
});

test('a receiver of the library accepts what send sends, each pair of the catalogue', async () => {
  const received: string[] = [];
  const route = createReceiver({
    secrets: [secret],
    seen: memorySeenKeys(),
    on: {},
    otherwise: async ({ objectName, type }) => void received.push(`${objectName}.${type}`),
    deliveryHeader: { name: 'X-Api-Key', value: 'abc' },
  }).route('/hooks');
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { status } = await route.handle({ method: 'POST', target: '/hooks', headers: request.headersDistinct, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const document = fileOf('', 'openapi.json');
  expect((await execute(['openapi', '--out', document])).exitCode).toBe(0);
  const pairs = Object.keys(JSON.parse(readFileSync(document, 'utf8')).webhooks);
  expect(pairs).toHaveLength(32);
  for (const event of pairs) {
    const args = ['send', url, '--event', event, '--document', document, '--delivery-header', 'X-Api-Key: abc'];
    expect((await execute(args, environment)).exitCode, event).toBe(0);
  }
  expect(received).toEqual(pairs);
  server.close();
});

test('with --json each result is an object on a line', async () => {
  const { url, requests, close } = await serve(204);
  const { stdout, stderr } = await execute(['send', url, '--event', 'RequestPayment.payed', '--json'], environment);
  expect(JSON.parse(stdout)).toEqual({
    status: 204,
    milliseconds: expect.any(Number),
    body: '',
    event: JSON.parse(String(requests[0]?.body)),
  });
  expect(stderr).toBe('');
  close();
  const failed = await execute(['verify', '/none', '--json'], environment);
  expect([failed.exitCode, JSON.parse(failed.stdout)]).toEqual([1, { error: '/none does not exist.' }]);
});

describe('verify reads', () => {
  const body = '{"timestamp":1,"data":{"id":"a"},"objectName":"RequestPayment","type":"payed"}';
  const line = `X-WEBHOOK-SIGNATURE: ${signBody(signingKey(secret), body)}`;

  test.each([
    ['a body with its header apart', body, ['--header', line]],
    ['an HTTP message', `POST /hooks HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n${body}`, []],
    ['headers and body', `${line}\n\n${body}`, []],
  ])('%s', async (_name, content, more) => {
    const { exitCode, stdout } = await execute(['verify', fileOf(content), ...more], environment);
    expect([exitCode, stdout]).toEqual([0, 'X-WEBHOOK-SIGNATURE is valid.\n']);
  });
});

describe('openapi', () => {
  const own = '{ openapi: "3.1.1", info: { title: "Own" }, webhooks: { "Invoice.payed": {} } }';

  test.each([
    ['a document', `export default ${own};`],
    ['a function', `export default async () => (${own});`],
  ])('writes %s that a module exports', async (_name, source) => {
    const { exitCode, stdout } = await execute(['openapi', fileOf(source, 'api.mjs')]);
    expect([exitCode, JSON.parse(stdout).info]).toEqual([0, { title: 'Own' }]);
  });

  test("without a module, writes that of the specification's API", async () => {
    const { stdout } = await execute(['openapi', '--title', 'Ours', '--server', 'https://api.example']);
    const { info, servers, paths } = JSON.parse(stdout);
    expect([info.title, servers]).toEqual(['Ours', [{ url: 'https://api.example' }]]);
    expect(Object.keys(paths)).toContain('/api/v1/partner/login');
  });
});

describe('what is wrong is said in one line with its remedy', () => {
  const message = fileOf('no headers');
  test.each<[readonly string[], number, string]>([
    [[], 2, 'Which command?'],
    [['listn'], 2, 'Unknown command "listn"; did you mean "listen"?'],
    [['help', 'sned'], 2, 'did you mean "send"?'],
    [
      ['x'],
      2,
      'Use one of listen, send, verify, compare, openapi, handbook, export, audit, health, import, recover, migrate, help.',
    ],
    [['listen', 'x'], 2, '"x" is too much.'],
    [['listen', '--event', 'x'], 2, '--event does not belong to listen.'],
    [['listen', '--porrt', '1'], 2, "Unknown option '--porrt'"],
    [['listen', '--port', '65536'], 2, '--port needs a whole number from 0 to 65535.'],
    [['listen', '--path', 'x'], 2, '--path begins with "/".'],
    [['listen', '--forward-to', 'localhost:3000'], 2, '--forward-to needs an http or https URL.'],
    [['listen', '--forward=http://'], 2, '--forward-to needs an http or https URL.'],
    [['listen', '--record', fileOf('')], 1, 'Cannot write'],
    [['listen', '--cert', '/dev/null/x'], 1, 'Cannot write /dev/null/x'],
    [['listen', '--secret', 's', '--endpoint', '7'], 2, '--endpoint is the id of an endpoint'],
    [['listen', '--secret', 's', '--public-key', 'AA'], 2, '--public-key is x of a key'],
    [['listen', '--secret', ''], 2, '--secret is empty.'],
    [['listen', '--delivery-header', 'abc'], 2, '--delivery-header needs a header and its value'],
    [['send'], 2, 'send needs the URL of a receiver.'],
    [['send', 'https://localhost:1/x'], 2, 'send needs --event'],
    [['send', 'localhost', '--event', 'RequestPayment.payed'], 2, '"localhost" is not an address.'],
    [
      ['send', 'http://127.0.0.1:9/', '--event', 'RequestPayment.payed'],
      1,
      'nothing listens there. Start the receiver',
    ],
    [['send', 'http://x.invalid/', '--event', 'RequestPayment.payed'], 1, 'the host has no address.'],
    [
      ['send', 'http://127.0.0.1:9/', '--event', 'RequestPayment.paid'],
      2,
      'did you mean "RequestPayment.payed"? It has RequestPayment.creation, ',
    ],
    [['send', 'http://127.0.0.1:9/', '--event', 'Payment.paid'], 2, 'It has RequestPayment.…, '],
    [['send', 'http://127.0.0.1:9/', '--event', 'RequestPayment.payed', '--times', '0'], 2, 'from 1 to 1000.'],
    [['send', 'http://127.0.0.1:9/', '--event', 'A.b', '--document', message], 1, 'is not JSON'],
    [
      ['send', 'http://127.0.0.1:9/', '--event', 'A.b', '--document', fileOf('{}')],
      1,
      'is not an OpenAPI 3.1 document',
    ],
    [['send', 'http://127.0.0.1:9/', '--event', 'RequestPayment.payed', '--data', '/none'], 1, '/none does not exist.'],
    [['verify'], 2, 'verify needs the file of a recorded request.'],
    [['verify', '/'], 1, '/ is a folder. Name a file.'],
    [['verify', message], 1, 'has no headers. Add --header'],
    [['verify', message, '--header', 'x'], 2, '"x" is not a header.'],
    [['openapi', '/none.mjs'], 1, '/none.mjs does not exist.'],
    [['openapi', fileOf('export default 1;', 'a.mjs')], 1, 'exports no OpenAPI 3.1 document. Export it by default'],
    [['openapi', fileOf('throw new Error("boom")', 'b.mjs')], 1, 'does not load: boom'],
    [['openapi', '--out', '/none/x.json'], 1, 'Cannot write /none/x.json: ENOENT.'],
    [['export'], 2, 'export needs a module that exports the kit and its accounts.'],
    [['export', '/none.mjs'], 1, '/none.mjs does not exist.'],
    [['export', fileOf('export default 1;', 'a.mjs')], 1, 'exports no kit. Export it by default: export default kit;'],
    [['export', fileOf('export default { export() {} };', 'a.mjs')], 1, 'exports no accounts. Export their ids'],
    [['export', fileOf('throw "boom"', 'a.mjs')], 1, 'does not load: boom'],
    [
      ['export', fileOf('export default () => { throw new Error("no database"); };', 'a.mjs')],
      1,
      'its export default failed: no database',
    ],
    [
      ['export', fileOf('export const accounts = () => { throw null; }; export default { export() {} };', 'a.mjs')],
      1,
      'its export accounts failed: null',
    ],
  ])('%j', async (args, code, text) => {
    const { exitCode, stdout, stderr } = await execute(args, environment);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !/^(Sending|Try npx)/.test(line));
    expect([exitCode, stdout, lines.length]).toEqual([code, '', 1]);
    expect(lines[0]).toContain(text);
  });

  test('a secret that is missing', async () => {
    for (const args of [
      ['listen'],
      ['send', 'http://127.0.0.1:9/', '--event', 'RequestPayment.payed'],
      ['verify', message],
    ]) {
      const { exitCode, stderr } = await execute(args);
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^Which webhook secret\? Set WEBHOOK_SECRET/)]);
    }
  });

  test('an answer that is not 2xx', async () => {
    const { url, close } = await serve(302, 404, 500);
    const ask = () => execute(['send', url, '--event', 'RequestPayment.payed'], environment);
    for (const remedy of ['name the final URL', 'correct the URL', 'sends the event again']) {
      const { exitCode, stdout } = await ask();
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining(remedy)]);
    }
    close();
  });
});

describe('--help', () => {
  test('lists every command', async () => {
    for (const args of [['--help'], ['help'], ['-h']]) {
      const { exitCode, stdout } = await execute(args);
      expect(exitCode).toBe(0);
      for (const command of ['listen', 'send', 'verify', 'openapi', 'migrate'])
        expect(stdout).toContain(`\n  ${command} `);
      expect(stdout).toContain('Exit codes: 0 done; 1 failed or refused; 2 a wrong command line.');
    }
  });

  test('of a command, shows its options alone', async () => {
    for (const args of [
      ['listen', '--help'],
      ['--help', 'listen'],
      ['help', 'listen'],
    ]) {
      const { exitCode, stdout } = await execute(args);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Usage: npx @partnerkit/cli listen [options]')]);
      const shown = stdout.match(/^ {2}--[a-z-]+/gm)?.map((option) => option.trim());
      expect(shown).toEqual([
        ...['--forward-to', '--allow-remote', '--record'],
        ...['--port', '--host', '--path', '--cert', '--public-key'],
        ...['--api', '--account', '--endpoint', '--events', '--include-children', '--from'],
        ...['--replay', '--profile', '--name', '--url'],
        ...['--secret', '--delivery-header', '--json', '--help'],
      ]);
    }
  });
});
