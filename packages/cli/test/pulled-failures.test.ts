import { describe, expect, test } from 'vitest';
import { execute } from './command-line.ts';
import { hurriedClock, listenTo, organisationId, startPlatform } from './partner-platform.ts';

const recovery = 'The platform answers again.';

test('a platform that is gone is waited for, and that is said once', async () => {
  const platform = await startPlatform();
  const clock = hurriedClock();
  const command = await listenTo(platform, [], { clock });
  await platform.stop();
  await command.stderr.includes('Asking again until it answers.');
  const before = clock.sleeps.length;
  while (clock.sleeps.length < before + 20) await new Promise((resolve) => setImmediate(resolve));
  await platform.restart();
  const id = await platform.publish();
  await command.stdout.includes(id);
  expect(command.stderr.text().match(/nothing listens there/g)).toHaveLength(1);
  expect(command.stderr.text().split(recovery)).toHaveLength(2);
  // Between two rounds of requests it waits for longer and longer, up to a minute.
  expect(clock.sleeps.filter((pause) => pause >= 4_000).slice(0, 3)).toEqual([4_000, 8_000, 16_000]);
  command.stop();
  expect(await command.exitCode).toBe(0);
  expect(await platform.endpoints()).toEqual([]);
});

test('it waits as long as 429 says, and logs in again when its token is refused', async () => {
  const platform = await startPlatform();
  platform.refusals.push({ status: 429, code: 'too_many_requests', headers: { 'retry-after': '17' } });
  platform.refusals.push({ status: 401, code: 'invalid_token' });
  const clock = hurriedClock();
  const command = await listenTo(platform, [], { clock });
  const id = await platform.publish();
  await command.stdout.includes(id);
  expect([clock.sleeps, platform.logins()]).toEqual([[17_000], 2]);
});

test.each([
  ['cursor_expired', 410, 'The platform deleted events before they were read.'],
  ['cursor_ahead', 409, 'The platform lost events that it had sent. Some may come again.'],
])('after %s it goes on where the platform says, and says so', async (code, status, said) => {
  const platform = await startPlatform();
  const input = { kind: 'pull', events: ['RequestPayment.creation'] } as const;
  const { endpoint } = (await platform.kit.endpoints.create(organisationId, input))._unsafeUnwrap();
  await platform.publish();
  const page = (await platform.kit.events.pull(organisationId, endpoint.id))._unsafeUnwrap();
  const command = await listenTo(platform, ['--endpoint', endpoint.id]);
  const first = await platform.publish();
  await command.stdout.includes(first);
  // The request that waits now is the last one that is answered in the usual way.
  platform.refusals.push({ status, code, resumeAfter: page.next });
  const second = await platform.publish();
  await command.stderr.includes(said);
  while (command.stdout.text().split(first).length < 3) await new Promise((resolve) => setImmediate(resolve));
  expect(command.stdout.text()).toContain(second);
});

test('a key that is revoked ends it: its endpoint stays, and it says so', async () => {
  const platform = await startPlatform();
  const command = await listenTo(platform);
  const [endpoint] = await platform.endpoints();
  (await platform.kit.clients.disable(organisationId, platform.key.client.id))._unsafeUnwrap();
  await platform.publish();
  expect(await command.exitCode).toBe(1);
  expect(command.stderr.text()).toContain(`The endpoint ${endpoint?.id} stays. Delete it.`);
  expect(command.stderr.text()).toContain('It refused the API key. Set CLIENT_ID and CLIENT_SECRET');
  expect(command.stderr.text()).not.toContain(platform.key.secret);
});

test('a key that is wrong, an API that is elsewhere, and one that is not there', async () => {
  const { environment } = await startPlatform();
  const { PARTNER_API } = environment;
  const run = (more: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    execute(['listen', ...args], { ...environment, ...more });
  for (const [more, text] of [
    [{ CLIENT_SECRET: 'wrong' }, 'answered 401 invalid_client. It refused the API key.'],
    [{ PARTNER_API: `${PARTNER_API}/v2` }, 'answered 404 unexpected_answer. That is no answer of a partner API.'],
    [{ ORGANISATION_ID: 'org_other' }, 'answered 404 not_found. The account or the endpoint is unknown'],
  ] as const)
    expect(await run(more)).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(text) });
  expect(await run({}, '--endpoint', '019ab7c4-8f00-7000-8000-00000000000a')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Correct --account and --endpoint, or ask the platform for webhooks by key'),
  });
  expect(await run({}, '--events', 'paied')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("did you mean 'payed'?"),
  });
});

test('a platform without webhooks by key: it says what to do', async () => {
  const { environment } = await startPlatform({ webhooks: false });
  expect(await execute(['listen'], environment)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('ask the platform for webhooks by key (its option api.webhooks)'),
  });
});

test('endpoints that cannot be read', async () => {
  const platform = await startPlatform();
  const { endpoints } = platform.kit;
  const events = ['RequestPayment.creation'] as const;
  const push = await endpoints.create(organisationId, { url: 'https://partner.example/', events });
  const pull = await endpoints.create(organisationId, { kind: 'pull', events });
  const [pushed, disabled] = [push._unsafeUnwrap().endpoint.id, pull._unsafeUnwrap().endpoint.id];
  (await endpoints.disable(organisationId, disabled))._unsafeUnwrap();
  for (const [id, text] of [
    [pushed, 'wrong_kind. Events are sent to this endpoint.'],
    [disabled, 'endpoint_disabled. The endpoint is disabled.'],
  ] as const)
    expect(await execute(['listen', '--endpoint', id], platform.environment)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(text),
    });
});

describe('a wrong command line names its remedy', () => {
  const environment = { PARTNER_API: 'https://api.example/v1', CLIENT_ID: 'id', CLIENT_SECRET: 's', HOME: '/none' };
  const endpoint = ['--endpoint', '019ab7c4-8f00-7000-8000-00000000000a'];

  test.each<[readonly string[], string, Readonly<Record<string, string>>?]>([
    [['--port', '1'], '--port does not go with --api or PARTNER_API: the platform is asked for events.'],
    [['--events', 'payed'], '--events goes with --api or PARTNER_API', { PARTNER_API: '' }],
    [['--replay', 'x', '--record', 'y'], '--record does not go with --replay.'],
    [[], 'Which account? Set ORGANISATION_ID, or name it with --account.'],
    [['--account', 'a'], 'Which API key? Set CLIENT_ID and CLIENT_SECRET', { CLIENT_ID: '' }],
    [['--account', 'a'], 'Which API key? Set CLIENT_SECRET', { CLIENT_SECRET: '' }],
    [['--account', 'a', '--api', 'http://api.example'], '--api needs an https URL'],
    [['--account', 'a', '--api', 'api.example'], '--api needs an http or https URL.'],
    [['--account', 'a', '--from', '2027-01-15T08:00:00Z'], '--from needs --endpoint'],
    [['--account', 'a', ...endpoint, ...endpoint], '--endpoint is given twice'],
    [['--account', 'a', ...endpoint, '--events', 'payed'], '--events chooses for a new endpoint'],
    [['--account', 'a', ...endpoint, '--include-children'], '--include-children chooses for a new endpoint'],
    [['--account', 'a', ...endpoint, '--name', 'acme'], '--name needs --profile'],
    [
      ['--account', 'a', '--forward-to', 'https://partner.example/'],
      '--forward-to names another machine, partner.example. If that is meant, add --allow-remote.',
    ],
    [['--forward-to', 'http://127.0.0.1.example/'], '--forward-to names another machine', { PARTNER_API: '' }],
  ])('%j', async (args, text, more = {}) => {
    const { exitCode, stderr } = await execute(['listen', '--secret', 's', ...args], { ...environment, ...more });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
