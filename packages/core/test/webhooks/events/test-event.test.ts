import { expect, test } from 'vitest';
import { platform } from '../../support/kit.ts';

const world = async () => {
  const made = platform();
  const create = async (accountId: string, host: string) =>
    (await made.kit.endpoints.create(accountId, { url: `https://${host}/`, events: ['cancel'] }))._unsafeUnwrap()
      .endpoint.id;
  return {
    ...made,
    first: await create('acc_a', 'first.example'),
    second: await create('acc_a', 'second.example'),
    foreign: await create('acc_b', 'foreign.example'),
  };
};
const event = { objectName: 'RequestPayment', type: 'payed', data: { status: 'PAID' } } as const;

test('a test event goes only to its endpoint, which need not select its type', async () => {
  const { kit, sender, first, second } = await world();
  const { eventId } = (await kit.events.sendTest('acc_a', first, event))._unsafeUnwrap();
  await kit.worker().drain();
  expect(sender.posts.map(({ url }) => url)).toEqual(['https://first.example/']);
  const body = JSON.parse(sender.posts[0]?.body ?? '');
  expect(body).toMatchObject({ objectName: 'RequestPayment', type: 'payed', data: { status: 'PAID' } });
  expect(body.data.id).toMatch(/^test_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  const explain = async (endpointId: string) =>
    (await kit.deliveries.explain('acc_a', eventId, endpointId))._unsafeUnwrap();
  expect(await explain(first)).toMatchObject({ kind: 'delivered', attempts: 1 });
  expect(await explain(second)).toEqual({ kind: 'for_another', endpointId: first });
});

test('the id is generated, even if untyped code sets one', async () => {
  const { kit, sender, first } = await world();
  const forged = { ...event, data: { ...event.data, id: 'p1' } };
  expect((await kit.events.sendTest('acc_a', first, forged)).isOk()).toBe(true);
  await kit.worker().drain();
  expect(JSON.parse(sender.posts[0]?.body ?? '').data.id).toMatch(/^test_/);
});

test('an invalid test event is refused, and nothing is stored', async () => {
  const { kit, storage, first, foreign } = await world();
  const send = async (endpointId: string, input: unknown = event) =>
    (await kit.events.sendTest('acc_a', endpointId, input as typeof event))._unsafeUnwrapErr();
  for (const id of [foreign, '01930000-0000-7000-8000-000000000000', 'x'])
    expect(await send(id)).toMatchObject({ code: 'not_found' });
  for (const input of [
    null,
    {},
    { ...event, type: 'deletion' },
    { ...event, data: { status: 7 } },
    { ...event, data: null },
  ])
    expect(await send(first, input)).toMatchObject({ code: 'invalid_event' });
  expect(await send(first, { ...event, data: { pad: 'x'.repeat(300_000) } })).toMatchObject({ code: 'too_large' });
  await kit.endpoints.disable('acc_a', first).unwrapOr(undefined);
  expect(await send(first)).toMatchObject({ code: 'endpoint_disabled' });
  expect(await storage.events.listEvents('acc_a', {})).toEqual({ items: [] });
});
