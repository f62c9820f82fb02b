import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { signatureHeader, signBody, signingKey } from '@partnerkit/core/wire';
import { createCertificateAuthority } from '@partnerkit/testing';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { diagnose } from '../src/diagnosis.ts';
import { escapeControls } from '../src/escape-controls.ts';
import { createOutput } from '../src/output.ts';
import { execute, newFolder, start } from './command-line.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const certificates = newFolder();
const environment = { WEBHOOK_SECRET: secret, HOME: newFolder() };
const signed = (body: string | Uint8Array) => ({ [signatureHeader]: signBody(signingKey(secret), body) });

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Starts `listen`, which ends with the test. */
const listen = async (...more: readonly string[]) => {
  const command = start(['listen', '--port', '0', '--cert', certificates, ...more], environment);
  cleanUps.push(() => {
    command.stop();
    return command.exitCode;
  });
  await command.stderr.includes('cert.pem');
  const port = Number(/:(\d+)\/webhooks/.exec(command.stderr.text())?.[1]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanUps.unshift(() => agent.destroy());
  const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, path = '/webhooks') =>
    new Promise<number>((resolve, reject) => {
      const ca = readFileSync(join(certificates, 'cert.pem'));
      const options: RequestOptions = { agent, ca, host: '127.0.0.1', port, path, method: 'POST', headers };
      const posting = request(options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      posting.on('error', reject).end(body);
    });
  return { ...command, port, post };
};

/** Serves on loopback until the test ends. */
const serve = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const canConnect = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', end(true)).on('error', end(false));
  });

describe('listen is reached', () => {
  test('by this machine alone, under its one address', async () => {
    const { port, stderr } = await listen();
    expect(await canConnect('127.0.0.1', port)).toBe(true);
    expect(await canConnect('127.0.0.2', port)).toBe(false);
    expect(stderr.text()).not.toContain('Every machine');
  });

  test('by others only with --host, and it says so', async () => {
    const { port, stderr } = await listen('--host', '0.0.0.0');
    expect(await canConnect('127.0.0.2', port)).toBe(true);
    expect(stderr.text()).toContain('Every machine that reaches 0.0.0.0 can send requests');
  });
});

const receiver = { secrets: [secret], publicKeys: [], endpoints: [] } as const;

describe('a body', () => {
  test('of 512 KiB is diagnosed, and a byte more is too large', async () => {
    const { post, stdout } = await listen();
    expect(await post('x'.repeat(524_288), { [signatureHeader]: '0'.repeat(40) })).toBe(401);
    expect(stdout.text()).toMatch(/401 {2}refused {2}524288 bytes\n {2}X-WEBHOOK-SIGNATURE is wrong/);
    expect(await post('x'.repeat(524_289), { [signatureHeader]: '0'.repeat(40) })).toBe(413);
    expect(stdout.text()).toMatch(/413 {2}refused {2}more than 524288 bytes\n {2}The body is larger than a webhook/);
    expect(await post('x'.repeat(800_000), signed('x'))).toBe(413);
  });

  test('of blanks costs linear time', () => {
    const diagnoseBlanks = () =>
      diagnose({ headers: signed('x'), body: Buffer.from(`${' '.repeat(500_000)}x`) }, receiver, 0).isValid;
    // The time-out interrupts an expression that backtracks for hours: a test's own could not.
    expect(runInNewContext('diagnoseBlanks()', { diagnoseBlanks }, { timeout: 60_000 })).toBe(false);
  });

  test('is inflated to at most 512 KiB', () => {
    const compressed = (bytes: number) => {
      const body = Buffer.alloc(bytes, '0');
      return diagnose({ headers: signed(body), body: gzipSync(body) }, receiver, 0).findings[0];
    };
    expect(compressed(524_288)).toContain('The body was compressed');
    expect(compressed(524_289)).toContain('of another secret, or of other content');
  });
});

/** A clipboard write (OSC 52), a cleared screen in C0 and C1, a reversed line, and a line that looks like a result. */
const hostile =
  '\u001b]52;c;cm0gLXJm\u0007\u001b[2J\u009b2J\u202e\n07:31:30  204  accepted  RequestPayment.payed pay_9\r';
const controls = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('what strangers write', () => {
  test('commands no terminal and forges no line', async () => {
    const { post, stdout, stderr } = await listen();
    const event = { timestamp: 1, data: { id: hostile }, objectName: hostile, type: hostile };
    expect(await post(JSON.stringify(event))).toBe(401);
    expect(await post(JSON.stringify(event), {}, '/elsewhere%1b')).toBe(404);
    const text = stdout.text() + stderr.text();
    expect(controls.exec(text)).toBeNull();
    expect(stdout.text().match(/^\d\d:\d\d:\d\d {2}/gm)).toHaveLength(2);
    expect(stdout.text()).not.toMatch(/^07:31:30 {2}204/m);
    expect(stdout.text()).toContain('\\u001b]52;c;');
  });

  test('fills no screen', async () => {
    const { post, stdout } = await listen();
    expect(await post(JSON.stringify({ objectName: 'x'.repeat(10_000), type: 'y', data: { id: 'z' } }))).toBe(401);
    expect(stdout.text().split('\n')[0]?.length).toBeLessThan(250);
  });

  test('is escaped in JSON too', () => {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) } as unknown as NodeJS.WritableStream;
    createOutput(true, stream, stream).result([], { name: '\u009b2J\u202e' });
    expect(written).toEqual(['{"name":"\\u009b2J\\u202e"}\n']);
  });

  test('any text: nothing is left that a terminal interprets, and JSON means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(escapeControls(text))).toBe(false);
        expect(JSON.parse(escapeControls(JSON.stringify(text)))).toBe(text);
      }),
    );
    expect(escapeControls('Café → 支払い\u001b[0m\u{e0041}')).toBe('Café → 支払い\\u001b[0m\\udb40\\udc41');
  });

  test('in an answer is indented and escaped by send', async () => {
    const url = await serve(
      createServer((_, response) => void response.writeHead(500).end(`boom\n204 in 3 ms${hostile}`)),
    );
    const { exitCode, stdout } = await execute(['send', url, '--event', 'RequestPayment.payed'], environment);
    expect([exitCode, controls.exec(stdout)]).toEqual([1, null]);
    expect(stdout.match(/^\S/gm)).toHaveLength(1);
    expect(stdout).toContain('\n  boom\n  204 in 3 ms\\u001b]52');
  });
});

describe('--record', () => {
  test('keeps 20 refused requests and every valid one, for this user alone', async () => {
    const folder = join(newFolder(), 'requests');
    const { post, stderr } = await listen('--record', folder);
    for (let count = 0; count < 22; count += 1) expect(await post(`{"count":${count}}`)).toBe(401);
    expect(await post('{}', {}, '/elsewhere')).toBe(404);
    expect(await post('x'.repeat(524_289))).toBe(413);
    expect(readdirSync(folder)).toHaveLength(20);
    expect(stderr.text().match(/20 refused requests are recorded; further ones are not\./g)).toHaveLength(1);

    const event = JSON.stringify({ timestamp: 1, data: { id: 'pay_1' }, objectName: 'RequestPayment', type: 'payed' });
    for (const id of [1, 2]) {
      const body = event.replace('pay_1', `pay_${id}`);
      expect(await post(body, signed(body))).toBe(204);
    }
    const files = readdirSync(folder);
    expect(files).toHaveLength(22);
    for (const file of files) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });
});

describe('the certificate', () => {
  test('is no authority, and one that was is replaced', async () => {
    const folder = newFolder();
    const authority = await createCertificateAuthority();
    writeFileSync(join(folder, 'cert.pem'), authority.certificate);
    writeFileSync(join(folder, 'key.pem'), (await authority.issue()).key);
    expect(new X509Certificate(authority.certificate).ca).toBe(true);
    await listen('--cert', folder);
    const made = new X509Certificate(readFileSync(join(folder, 'cert.pem')));
    expect([made.ca, made.keyUsage]).toEqual([false, ['1.3.6.1.5.5.7.3.1']]);
    // The critical extension basicConstraints, an empty sequence: CA is false (RFC 5280 §4.2.1.9).
    expect(made.raw.toString('hex')).toContain('0603551d130101ff04023000');
    expect(made.checkHost('localhost')).toBe('localhost');
  });
});

describe('send', () => {
  test('reads 4 KiB of an answer that never ends', async () => {
    const [chunk, most] = ['x'.repeat(65_536), 67_108_864];
    let written = 0;
    const url = await serve(
      createServer((incoming, response) => {
        incoming.resume();
        response.writeHead(500);
        const write = (): void => {
          for (let isFlowing = true; isFlowing && written < most; written += chunk.length)
            isFlowing = response.write(chunk);
        };
        response.on('drain', write);
        write();
      }),
    );
    const args = ['send', url, '--event', 'RequestPayment.payed', '--json'];
    const { exitCode, stdout } = await execute(args, environment);
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({ status: 500, body: 'x'.repeat(4_096) }),
    ]);
    // Unread bytes stay in the buffers of the sockets.
    expect(written).toBeLessThan(most);
  });

  test('reads for 2 seconds when a body stops', async ({ signal }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    cleanUps.push(
      () => vi.restoreAllMocks(),
      () => vi.useRealTimers(),
    );
    const url = await serve(
      createServer((incoming, response) => {
        incoming.resume();
        response.writeHead(200).write('x');
      }),
    );
    const sent = execute(['send', url, '--event', 'RequestPayment.payed', '--json'], environment);
    const hasHeaders = () => timers.mock.calls.some(([, time]) => time === 2_000);
    while (!hasHeaders() && !signal.aborted) await new Promise<void>((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(2_000);
    expect(await sent).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"status":200') });
  });
});
