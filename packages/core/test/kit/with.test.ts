import { expect, test } from 'vitest';
import type { Actor } from '../../src/base/signals/actor.ts';
import { platform } from '../support/kit.ts';

const actor: Actor = { type: 'user', id: 'user_7' };
const event = { objectName: 'RequestPayment', type: 'payed', data: {} } as const;

/** A client, an endpoint and one finished delivery of `acc_a`. */
const world = async () => {
  const made = platform();
  const { kit } = made;
  const client = (await kit.clients.create('acc_a', { name: 'Booking system' }))._unsafeUnwrap().client;
  const endpoint = (
    await kit.endpoints.create('acc_a', { url: 'https://partner.example/hooks', events: ['payed'] })
  )._unsafeUnwrap().endpoint;
  await kit.events.publish({ accountId: 'acc_a', ...event, data: { id: 'p1' } }, { tx: 'new' });
  await kit.worker().drain();
  const [delivery] = (await kit.deliveries.list('acc_a'))._unsafeUnwrap().items;
  made.signals.length = 0;
  return { ...made, client, endpoint, deliveryId: delivery?.id ?? '' };
};

test('each signal of a change names the actor; without one, the host', async () => {
  const { kit, client, endpoint, deliveryId, signals, clock } = await world();
  const by = kit.with({ actor });
  const results = [
    await by.clients.update('acc_a', client.id, { name: 'Till' }),
    await by.endpoints.update('acc_a', endpoint.id, { label: 'prod' }),
    await by.events.sendTest('acc_a', endpoint.id, event),
    await by.deliveries.sendAgain('acc_a', deliveryId),
    await by.deliveries.replay('acc_a', endpoint.id, { from: 0, to: clock.now() + 1 }),
    await by.deliveries.recover('acc_a', endpoint.id, { from: 0, to: clock.now() + 1 }),
    await kit.endpoints.disable('acc_a', endpoint.id),
  ];
  expect(results.map((result) => result.isOk())).toEqual(results.map(() => true));
  const changes = signals.flatMap((signal) =>
    'by' in signal && signal.kind !== 'timestamp_ahead'
      ? [[signal.kind, 'change' in signal ? signal.change : undefined, signal.by]]
      : [],
  );
  expect(changes).toEqual([
    ['client', 'updated', actor],
    ['endpoint', 'updated', actor],
    ['endpoint', 'test_sent', actor],
    ['delivery_sent_again', undefined, actor],
    ['endpoint', 'replayed', actor],
    ['endpoint', 'failed_replayed', actor],
    ['endpoint', 'disabled', { type: 'host' }],
  ]);
});

test('a change for another version is refused and stores nothing', async () => {
  const { kit, client, endpoint, signals } = await world();
  const late = kit.with({ ifVersion: [client.version + 1] });
  const refused = [
    await late.clients.update('acc_a', client.id, { name: 'Till' }),
    await late.clients.disable('acc_a', client.id),
    await late.endpoints.update('acc_a', endpoint.id, { label: 'prod' }),
    await late.endpoints.delete('acc_a', endpoint.id),
  ];
  for (const result of refused) expect(result._unsafeUnwrapErr()).toMatchObject({ code: 'version_mismatch' });
  expect((await kit.clients.find('acc_a', client.id))._unsafeUnwrap()).toEqual(client);
  expect((await kit.endpoints.find('acc_a', endpoint.id))._unsafeUnwrap()).toEqual(endpoint);
  expect(signals).toEqual([]);
});

test('a change for the current version succeeds and returns the next one', async () => {
  const { kit, client, endpoint } = await world();
  const now = kit.with({ ifVersion: [9, client.version] });
  const renamed = (await now.clients.update('acc_a', client.id, { name: 'Till' }))._unsafeUnwrap();
  expect(renamed).toEqual({ ...client, name: 'Till', version: client.version + 1 });
  expect((await kit.clients.find('acc_a', client.id))._unsafeUnwrap()).toEqual(renamed);
  (await kit.with({ ifVersion: [endpoint.version] }).endpoints.delete('acc_a', endpoint.id))._unsafeUnwrap();
  expect((await kit.endpoints.find('acc_a', endpoint.id))._unsafeUnwrapErr().code).toBe('not_found');
});
