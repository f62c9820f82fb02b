import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { execute, fileOf, newFolder } from './command-line.ts';
import { listenTo, startApplication, startPlatform } from './partner-platform.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const profile = fileURLToPath(new URL('acme-profile.ts', import.meta.url));

test('what was recorded is posted again without a login, in its order and signed anew', async () => {
  const platform = await startPlatform();
  const folder = newFolder();
  const command = await listenTo(platform, ['--record', folder]);
  const ids: string[] = [];
  for (let nth = 0; nth < 12; nth++) ids.push(await platform.publish());
  await command.stdout.includes(ids.at(-1) ?? '');
  command.stop();
  expect(await command.exitCode).toBe(0);
  await platform.stop();
  expect(readdirSync(folder).map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual(ids.map(() => 0o600));

  const { url, received, events } = await startApplication({ secrets: [secret] });
  const replayed = await execute(['listen', '--replay', folder, '--forward-to', url], { WEBHOOK_SECRET: secret });
  expect(replayed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('12 of 12 requests were accepted.') });
  expect(events).toEqual(ids.map((id) => `RequestPayment.creation ${id}`));
  // They keep their ids: a receiver that knows them drops them.
  const recorded = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).headers);
  const idsOf = (all: readonly { readonly [name: string]: unknown }[]) =>
    all.map((each) => each['webhook-id']).toSorted();
  expect(idsOf(received.map(({ headers }) => headers))).toEqual(idsOf(recorded));
});

test('a log is replayed, with the signatures of a profile in place of old ones', async () => {
  const body = '{"uid":"evt_1","event":"RequestPayment/payed","at":1732147200,"object":{"id":"p1"}}';
  const headers = {
    'X-Acme-Event': 'payed',
    'Acme-Signature': 't=1,v1=00',
    Host: 'partner.example',
    Connection: 'close',
  };
  const log = fileOf(`${JSON.stringify({ headers, body })}\n`, 'log.jsonl');
  const { url, received } = await startApplication([204]);
  const args = ['listen', '--replay', log, '--forward-to', url, '--profile', profile, '--secret', 'an old one'];
  expect(await execute(args)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('RequestPayment.payed p1'),
  });
  const [request] = received;
  expect(request).toMatchObject({ body, headers: { 'x-acme-event': 'payed', host: new URL(url).host } });
  const [, at = '', digest] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(String(request?.headers['acme-signature'])) ?? [];
  expect(digest).toBe(createHmac('sha256', 'an old one').update(`${at}.${body}`).digest('hex'));
});

test('an answer other than 2xx: exit code 1, and the others are posted', async () => {
  const { url, received } = await startApplication([500, 204]);
  const line = (id: string) =>
    JSON.stringify({ headers: {}, body: `{"timestamp":1,"data":{"id":"${id}"},"objectName":"A","type":"b"}` });
  const log = fileOf(`${line('a')}\n${line('b')}\n`, 'log.jsonl');
  const { exitCode, stderr } = await execute(['listen', '--replay', log, '--forward-to', url, '--secret', secret]);
  expect([exitCode, received.length]).toEqual([1, 2]);
  expect(stderr).toContain('1 of 2 requests were accepted.');
});

test('another machine gets recordings only with --allow-remote', async () => {
  const log = fileOf('{"headers":{},"body":"{}"}', 'log.jsonl');
  const run = (...more: readonly string[]) =>
    execute(['listen', '--replay', log, '--forward-to', 'http://x.invalid/', '--secret', secret, ...more]);
  expect(await run()).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await run('--allow-remote')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('Cannot reach http://x.invalid/: the host has no address.'),
  });
});

test('recordings that are not there, a secret that does not fit, and a profile that cannot sign', async () => {
  const replay = (...args: readonly string[]) => execute(['listen', '--replay', ...args, '--secret', 'no base64']);
  expect(await replay('/none')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('/none does not exist.'),
  });
  const core = new URL('../../core/src/wire.ts', import.meta.url).href;
  const profileOf = (signature: string) =>
    fileOf(
      `import { ed25519, standardWebhooks } from ${JSON.stringify(core)}; export default { signatures: [${signature}] };`,
      'profile.ts',
    );
  expect(await replay('/none', '--profile', profileOf('standardWebhooks()'))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The webhook secret does not fit: Standard Webhooks needs whsec_ and Base64.'),
  });
  const publicOnly = profileOf("ed25519({ keys: [{ id: 'a', publicKey: new Uint8Array(32) }] })");
  expect(await replay('/none', '--profile', publicOnly)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The profile cannot sign: ed25519: a sender needs a privateKey.'),
  });
});
