import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/base/signals/actor.ts';
import type { ActorOptions, ChangeOptions } from '../../src/base/signals/change-options.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { answered } from '../support/deliveries.ts';
import { loginToken } from '../support/http.ts';
import { platform, sealingKeys } from '../support/kit.ts';

const user: Actor = { type: 'user', id: 'user_7' };
const event = { objectName: 'RequestPayment', type: 'payed', data: {} } as const;
const hook = { url: 'https://partner.example/hooks', events: ['payed'] } as const;

/** A client with a token, a paused endpoint with a next secret, and a delivery of `acc_a`. */
const world = async () => {
  const sender = memorySender(() => answered(429, { retryAfter: '60' }));
  const made = platform({ sender });
  const { kit } = made;
  const added = (await kit.clients.create('acc_a', { name: 'Booking system' }))._unsafeUnwrap();
  const token = await loginToken(kit, added);
  const { id: endpointId } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
  await kit.events.publish({ accountId: 'acc_a', ...event, data: { id: 'p1' } }, { tx: 'new' });
  await kit.worker().drain();
  (await kit.endpoints.prepareSecret('acc_a', endpointId))._unsafeUnwrap();
  const [delivery] = (await kit.deliveries.list('acc_a'))._unsafeUnwrap().items;
  made.signals.length = 0;
  return { ...made, clientId: added.client.id, secretId: added.secretId, token, endpointId, deliveryId: delivery?.id };
};
type World = Awaited<ReturnType<typeof world>>;

/** Each call that changes what is stored, and compares versions. */
const changes: Readonly<Record<string, (world: World, options?: ChangeOptions) => unknown>> = {
  'client updated': ({ kit, clientId }, options) => kit.clients.update('acc_a', clientId, { name: 'Till' }, options),
  'client secret_added': ({ kit, clientId }, options) => kit.clients.addSecret('acc_a', clientId, {}, options),
  'client secret_expires': ({ kit, clientId, secretId }, options) =>
    kit.clients.expireSecret('acc_a', clientId, secretId, { ...options, at: 0 }),
  'client secret_revoked': ({ kit, clientId, secretId }, options) =>
    kit.clients.revokeSecret('acc_a', clientId, secretId, options),
  'client tokens_revoked': ({ kit, clientId }, options) => kit.clients.revokeTokens('acc_a', clientId, options),
  'client disabled': ({ kit, clientId }, options) => kit.clients.disable('acc_a', clientId, options),
  'client enabled': ({ kit, clientId }, options) => kit.clients.enable('acc_a', clientId, options),
  'client deleted': ({ kit, clientId }, options) => kit.clients.delete('acc_a', clientId, options),
  'endpoint updated': ({ kit, endpointId }, options) =>
    kit.endpoints.update('acc_a', endpointId, { label: 'prod' }, options),
  'endpoint enabled': ({ kit, endpointId }, options) => kit.endpoints.enable('acc_a', endpointId, options),
  'endpoint resumed': ({ kit, endpointId }, options) => kit.endpoints.resume('acc_a', endpointId, options),
  'endpoint disabled': ({ kit, endpointId }, options) => kit.endpoints.disable('acc_a', endpointId, options),
  'endpoint secret_prepared': ({ kit, endpointId }, options) =>
    kit.endpoints.prepareSecret('acc_a', endpointId, options),
  'endpoint secret_activated': ({ kit, endpointId }, options) =>
    kit.endpoints.activateSecret('acc_a', endpointId, options),
  'endpoint secret_cancelled': ({ kit, endpointId }, options) =>
    kit.endpoints.cancelSecret('acc_a', endpointId, options),
  'endpoint deleted': ({ kit, endpointId }, options) => kit.endpoints.delete('acc_a', endpointId, options),
};

/** Each call that changes something, and has no version to compare. */
const acts: Readonly<Record<string, (world: World, options?: ActorOptions) => unknown>> = {
  'client created': ({ kit }, options) => kit.clients.create('acc_a', { name: 'Till' }, options),
  'client token_revoked': ({ kit, token = '' }, options) => kit.clients.revokeToken('acc_a', token, options),
  'endpoint created': ({ kit }, options) => kit.endpoints.create('acc_a', hook, options),
  'endpoint test_sent': ({ kit, endpointId }, options) => kit.events.sendTest('acc_a', endpointId, event, options),
  delivery_sent_again: ({ kit, deliveryId = '' }, options) => kit.deliveries.sendAgain('acc_a', deliveryId, options),
  'endpoint replayed': ({ kit, endpointId, clock }, options) =>
    kit.deliveries.replay('acc_a', endpointId, { ...options, from: 0, to: clock.now() + 1 }),
  'endpoint failed_replayed': ({ kit, endpointId, clock }, options) =>
    kit.deliveries.recover('acc_a', endpointId, { ...options, from: 0, to: clock.now() + 1 }),
};

/** The type of the entry that each change leaves in the audit trail. */
const entryTypes: Readonly<Record<string, string>> = {
  'client created': 'key.added',
  'client updated': 'key.changed',
  'client secret_added': 'key.changed',
  'client secret_expires': 'key.changed',
  'client secret_revoked': 'key.changed',
  'client tokens_revoked': 'key.changed',
  'client token_revoked': 'key.changed',
  'client disabled': 'key.changed',
  'client enabled': 'key.changed',
  'client deleted': 'key.deleted',
  'endpoint created': 'endpoint.added',
  'endpoint updated': 'endpoint.changed',
  'endpoint enabled': 'endpoint.enabled',
  'endpoint disabled': 'endpoint.disabled',
  'endpoint resumed': 'endpoint.changed',
  'endpoint secret_prepared': 'endpoint.changed',
  'endpoint secret_activated': 'secret.rotated',
  'endpoint secret_cancelled': 'endpoint.changed',
  'endpoint deleted': 'endpoint.deleted',
};

/** The entries of the audit trail after those of the world. */
const entriesSince = async ({ kit }: World, before: number) =>
  (await kit.audit.list('acc_a'))._unsafeUnwrap().items.slice(before);

/** The changes that were signalled, each with its actor. */
const signalled = ({ signals }: Pick<World, 'signals'>) =>
  signals.flatMap((signal) =>
    'by' in signal && signal.kind !== 'timestamp_ahead'
      ? [['change' in signal ? `${signal.kind} ${signal.change}` : signal.kind, signal.by]]
      : [],
  );

describe.each(Object.entries({ ...changes, ...acts }))('%s', (name, act) => {
  test('its signal names the actor', async () => {
    const made = await world();
    await act(made, { actor: user });
    expect(signalled(made)).toEqual([[name, user]]);
  });

  test('it leaves one entry in the audit trail, with its actor and request; sending events leaves none', async () => {
    const made = await world();
    const before = (await entriesSince(made, 0)).length;
    await act(made, { actor: user, requestId: 'req-1' });
    const type = entryTypes[name];
    const change = name.split(' ')[1];
    expect(await entriesSince(made, before)).toMatchObject(
      type === undefined ? [] : [{ type, by: user, requestId: 'req-1', data: { change } }],
    );
  });

  test('without an actor, its signal names the host', async () => {
    const made = await world();
    await act(made);
    expect(signalled(made)).toEqual([[name, { type: 'host' }]]);
  });

  test('it throws and names an unknown option', async () => {
    const made = await world();
    const call = (): unknown => act(made, { actr: user } as object);
    expect(call).toThrow(TypeError);
    expect(call).toThrow(
      /^(clients|endpoints|events|deliveries)\.\w+: there is no option 'actr'; did you mean 'actor'\?$/,
    );
    expect(signalled(made)).toEqual([]);
  });
});

describe.each(Object.entries(changes))('%s', (name, change) => {
  const stored = async ({ kit, clientId, endpointId }: World) => [
    (await kit.clients.find('acc_a', clientId))._unsafeUnwrap(),
    (await kit.endpoints.find('acc_a', endpointId))._unsafeUnwrap(),
  ];

  test('another version is refused, and nothing is stored', async () => {
    const made = await world();
    const before = await stored(made);
    const entries = (await entriesSince(made, 0)).length;
    for (const ifVersion of [7, [7, 8], []])
      expect(await change(made, { ifVersion })).toMatchObject({ error: { code: 'version_mismatch' } });
    expect(await stored(made)).toEqual(before);
    expect(await entriesSince(made, entries)).toEqual([]);
    expect(signalled(made)).toEqual([]);
  });

  test('one of the named versions is changed', async () => {
    for (const among of [(version: number) => version, (version: number) => [9, version]]) {
      const made = await world();
      const [client, endpoint] = await stored(made);
      const version = (name.startsWith('client') ? client : endpoint)?.version ?? 0;
      expect(await change(made, { ifVersion: among(version) })).toHaveProperty('value');
      expect(signalled(made)).toEqual([[name, { type: 'host' }]]);
    }
  });
});

describe.each(Object.entries(acts))('%s', (_name, act) => {
  test('it has no version to compare, and refuses one', async () => {
    const made = await world();
    expect(() => act(made, { ifVersion: 1 } as object)).toThrow("there is no option 'ifVersion'");
  });
});

test('the signal of a resealed endpoint names the actor', async () => {
  const { storage, kit } = platform();
  (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap();
  const rotated = platform({ storage, sealingKeys: [{ id: 'k2', key: new Uint8Array(32).fill(2) }, ...sealingKeys] });
  (await rotated.kit.endpoints.reseal({ actor: user }))._unsafeUnwrap();
  expect(signalled(rotated)).toEqual([['endpoint resealed', user]]);
  expect(() => rotated.kit.endpoints.reseal({ ifVersion: 1 } as object)).toThrow("there is no option 'ifVersion'");
});

test.each([
  [user, 'partner'],
  [{ type: 'client', id: 'c1' }, 'partner'],
  [{ type: 'host', id: 'nightly cleanup' }, 'host'],
  [undefined, 'host'],
] as const)('an endpoint that %j disables is disabled by the %s', async (actor, disabledBy) => {
  const { kit, endpointId } = await world();
  (await kit.endpoints.disable('acc_a', endpointId, { actor }))._unsafeUnwrap();
  expect((await kit.endpoints.health('acc_a', [endpointId]))._unsafeUnwrap()).toMatchObject([{ disabledBy }]);
});
