import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import acmeProfiles from './acme-profile.ts';
import { start } from './command-line.ts';
import { listenTo, organisationId, startApplication, startPlatform } from './partner-platform.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const profileModule = fileURLToPath(new URL('acme-profile.ts', import.meta.url));

/** Headers of the connection, and the name of the program. */
const isOfTransport = (name: string): boolean =>
  ['host', 'connection', 'content-length', 'transfer-encoding', 'user-agent'].includes(name);

test.each([
  ['the specification', [], {}, { standardWebhooks: true }],
  [
    'a profile of the platform',
    ['--name', 'acme', '--profile', profileModule],
    { profiles: [acmeProfiles.profiles.acme] },
    { profile: 'acme' },
  ],
])('with %s, an event arrives as it does at an endpoint with a URL', async (_name, args, receiver, pushed) => {
  const platform = await startPlatform();
  const { url, received, events } = await startApplication({ secrets: [secret], ...receiver });
  const input = { url: 'https://partner.example/', events: ['RequestPayment.creation'], ...pushed } as const;
  (await platform.kit.endpoints.create(organisationId, input))._unsafeUnwrap();
  const command = await listenTo(platform, ['--forward-to', url, ...args], { env: { WEBHOOK_SECRET: secret } });
  const id = await platform.publish();
  await command.stdout.includes(id);
  expect(events).toEqual([`RequestPayment.creation ${id}`]);
  expect(command.stdout.text()).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}204 {2}\\d+ ms {2}RequestPayment\\.creation ${id} {2}[0-9a-f-]{36}\n$`),
  );
  const [push] = platform.sender.posts;
  const [own] = received;
  expect(own?.body).toBe(push?.body);
  const names = (headers: object = {}) => Object.keys(headers).filter((name) => !isOfTransport(name));
  expect(names(own?.headers).toSorted()).toEqual(names(push?.headers).toSorted());
  expect(command.stderr.text()).not.toContain('whsec_');
});

test('it makes an endpoint for the run, and deletes it at the end', async () => {
  const platform = await startPlatform();
  const command = await listenTo(platform);
  const [endpoint, ...others] = await platform.endpoints();
  expect(others).toEqual([]);
  expect(endpoint).toMatchObject({ kind: 'pull', label: 'partnerkit listen', includeChildren: false });
  expect(endpoint?.events).toHaveLength(32);
  expect(command.stderr.text()).toContain(`Waiting for events of the pull endpoint ${endpoint?.id} at `);
  // A request waits for up to 25 seconds: the end does not.
  command.stop();
  expect(await command.exitCode).toBe(0);
  expect(command.stderr.text()).toContain(`Deleted the endpoint ${endpoint?.id}.`);
  expect(await platform.endpoints()).toEqual([]);
});

test('its endpoint selects events, and those of children', async () => {
  const platform = await startPlatform();
  const command = await listenTo(platform, ['--events', 'payed, RequestPayment.creation', '--include-children']);
  expect(await platform.endpoints()).toMatchObject([
    { events: ['payed', 'RequestPayment.creation'], includeChildren: true },
  ]);
  const id = await platform.publish(platform.childId);
  await command.stdout.includes(`received  RequestPayment.creation ${id}`);
});

test('the secret of this machine is printed, kept for its user alone, and signs', async () => {
  const platform = await startPlatform();
  const secretOf = async (): Promise<string> => {
    const { stderr } = await listenTo(platform, ['--forward-to', 'http://localhost:9/']);
    return /^WEBHOOK_SECRET=(whsec_[A-Za-z0-9+/]{32})$/m.exec(stderr.text())?.[1] ?? '';
  };
  const local = await secretOf();
  expect(local).not.toBe('');
  expect(await secretOf()).toBe(local);
  const { HOME } = platform.environment;
  expect(statSync(join(HOME, '.partnerkit', 'webhook-secret')).mode & 0o777).toBe(0o600);
  const { url, events } = await startApplication({ secrets: [local] });
  const command = await listenTo(platform, ['--forward-to', url]);
  const id = await platform.publish();
  await command.stdout.includes(id);
  expect(events).toEqual([`RequestPayment.creation ${id}`]);
});

test('the delivery header of the receiver is sent', async () => {
  const platform = await startPlatform();
  const deliveryHeader = { name: 'X-Api-Key', value: 'abc' };
  const { url, received } = await startApplication({ secrets: [secret], deliveryHeader });
  const args = ['--forward-to', url, '--secret', secret, '--delivery-header', 'X-Api-Key: abc'];
  const command = await listenTo(platform, args);
  await command.stdout.includes(await platform.publish());
  expect(received).toMatchObject([{ status: 204 }]);
});

test('a receiver that fails does not end it, and gets no event twice', async () => {
  const platform = await startPlatform();
  const { url, received } = await startApplication([500, 401, 204]);
  const command = await listenTo(platform, ['--forward-to', url]);
  const ids: string[] = [];
  for (let nth = 0; nth < 3; nth++) ids.push(await platform.publish());
  await command.stdout.includes(ids[2] ?? '');
  expect(received.map(({ body }) => JSON.parse(body).data.id)).toEqual(ids);
  expect(command.stdout.text()).toMatch(
    /500 .*\n {2}A platform sends the event again[^\n]*\n {2}no\n {2}room\n.* 401 .*\n {2}The receiver refused the sig/,
  );
  expect(command.stderr.text().match(/Nothing is sent again here/g)).toHaveLength(1);
});

test('a receiver that is not there does not end it', async () => {
  const platform = await startPlatform();
  const command = await listenTo(platform, ['--forward-to', 'http://localhost:9/']);
  await platform.publish();
  const id = await platform.publish();
  await command.stdout.includes(id);
  expect(command.stdout.text()).toMatch(
    / failed {2}.*\n {2}Cannot reach http:\/\/localhost:9\/: nothing listens there/,
  );
});

test('an endpoint that is named is read from now on, or from a time on, and stays', async () => {
  const platform = await startPlatform();
  const input = { kind: 'pull', events: ['RequestPayment.creation'] } as const;
  const { endpoint } = (await platform.kit.endpoints.create(organisationId, input))._unsafeUnwrap();
  const earlier = await platform.publish();
  const command = await listenTo(platform, ['--endpoint', endpoint.id]);
  const later = await platform.publish();
  await command.stdout.includes(later);
  expect(command.stdout.text()).not.toContain(earlier);
  const again = await listenTo(platform, ['--endpoint', endpoint.id, '--from', '2020-01-01T00:00:00Z']);
  await again.stdout.includes(later);
  expect(again.stdout.text()).toContain(earlier);
  const future = await listenTo(platform, ['--endpoint', endpoint.id, '--from', '2999-01-01T00:00:00Z']);
  for (const each of [command, again, future]) {
    each.stop();
    expect(await each.exitCode).toBe(0);
  }
  expect(future.stdout.text()).toBe('');
  expect(await platform.endpoints()).toMatchObject([{ id: endpoint.id }]);
});

test('with --json, a result is an object on a line', async () => {
  const platform = await startPlatform();
  const { url, received } = await startApplication([204]);
  const command = start(['listen', '--forward-to', url, '--json'], platform.environment);
  while ((await platform.endpoints()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  const id = await platform.publish();
  await command.stdout.includes(id);
  expect(JSON.parse(command.stdout.text())).toEqual({
    ...{ outcome: 'forwarded', status: 204, milliseconds: expect.any(Number), findings: [] },
    id: received[0]?.headers['webhook-id'],
    event: JSON.parse(received[0]?.body ?? ''),
  });
  command.stop();
  expect([await command.exitCode, command.stderr.text()]).toEqual([0, '']);
});
