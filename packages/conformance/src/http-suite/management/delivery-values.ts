import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { hour } from '@partnerkit/core';
import type { ManagementApi, ManagementCase } from './api.ts';
import { start } from './platform.ts';

const about = { objectName: 'RequestPayment', objectId: 'payment_1', type: 'payed' };
const answered = { kind: 'answered', status: 200, body: 'thanks', durationMs: 12 };
const explain = async ({ call }: ManagementApi, known: Readonly<Record<string, string>> = {}) =>
  (await call('GET /events/:eventId/explanations/:endpointId', {}, known)).body;
const itemsOf = async ({ call }: ManagementApi, path: string, known: Readonly<Record<string, string>> = {}) =>
  (await call(`GET ${path}`, {}, known)).body.items;
const deliveryOf = async (api: ManagementApi, eventId: string) => {
  const [{ id }] = await itemsOf(api, '/deliveries?eventId=:eventId', { eventId });
  return id;
};

/** What answers about events and deliveries say. */
export const deliveryValues: readonly ManagementCase[] = [
  {
    name: 'events are listed with their times in seconds, and filtered',
    run: async (api) => {
      const { known, clock, deliver } = api.platform;
      const { eventId: id } = known;
      const data = { id: 'payment_1', amount: 20 };
      const first = { id, ...about, isTest: false, timestamp: start };
      deepStrictEqual(await itemsOf(api, '/events'), [first]);
      // Only one event is read with its body.
      const body = JSON.stringify({ timestamp: start, data, objectName: about.objectName, type: about.type });
      deepStrictEqual((await api.call('GET /events/:eventId')).body, { ...first, body });
      await clock.pass(60_000);
      const later = await deliver();
      const idsOf = async (query: string) =>
        (await itemsOf(api, `/events?${query}`)).map((event: { readonly id: string }) => event.id);
      deepStrictEqual(await idsOf('order=newest'), [later, id]);
      deepStrictEqual(await idsOf(`from=${start + 30}`), [later]);
      deepStrictEqual(await idsOf(`to=${start + 30}`), [id]);
      deepStrictEqual(await idsOf('type=cancel'), []);
    },
  },
  {
    name: 'deliveries and their attempts are listed',
    run: async (api) => {
      const { known } = api.platform;
      const { eventId, endpointId } = known;
      const event = { ...about, timestamp: start, isTest: false };
      deepStrictEqual(await itemsOf(api, '/deliveries?state=delivered'), [
        { id: known['deliveryId'], eventId, endpointId, state: 'delivered', attempts: 1, event },
      ]);
      deepStrictEqual(await itemsOf(api, '/deliveries?state=waiting'), []);
      deepStrictEqual(await itemsOf(api, '/deliveries/:deliveryId/attempts'), [{ ...answered, at: start }]);
    },
  },
  {
    name: 'what an endpoint got, waits for or cannot get is explained, with times in seconds',
    run: async (api) => {
      const { known, clock, answerWith, deliver, kit } = api.platform;
      const { deliveryId = '' } = known;
      deepStrictEqual(await explain(api), { kind: 'delivered', deliveryId, attempts: 1, last: answered, at: start });

      answerWith({ status: 500, retryAfter: '60' });
      await clock.pass(10_000);
      const refused = await deliver();
      const of = { deliveryId: await deliveryOf(api, refused), attempts: 1 };
      const last = { ...answered, status: 500, retryAfter: '60' };
      deepStrictEqual(await explain(api, { eventId: refused }), { kind: 'waiting', ...of, last, dueAt: start + 70 });

      // The receiver pauses the endpoint: what comes after this event waits.
      answerWith({ status: 503, retryAfter: '600' });
      await deliver();
      const paused = await explain(api, { eventId: refused });
      deepStrictEqual(paused, { kind: 'paused', ...of, last, until: start + 610 });

      (await kit.sending.pause({}))._unsafeUnwrap();
      const stopped = await explain(api, { eventId: refused });
      deepStrictEqual(stopped, { kind: 'sending_paused', ...of, last, since: start + 10 });
      (await kit.sending.resume({}))._unsafeUnwrap();

      await clock.pass(10_000);
      await api.call('POST /endpoints/:endpointId/disable');
      const held = { kind: 'held', ...of, last, since: start + 20, by: 'partner' };
      deepStrictEqual(await explain(api, { eventId: refused }), held);
      await clock.pass(10_000);
      const unheard = await deliver();
      deepStrictEqual(await explain(api, { eventId: unheard }), { kind: 'disabled_then', since: start + 20 });

      const hook = { url: 'https://partner.example/late', events: ['cancel'] };
      const { body } = await api.call('POST /endpoints', { body: hook });
      const { id: endpointId } = body.endpoint;
      deepStrictEqual(await explain(api, { endpointId }), { kind: 'created_later', at: start + 30 });
      const { eventId: waiting } = await kit.events.publish(
        { accountId: 'org_main', objectName: 'RequestPayment', type: 'payed', data: { id: 'payment_2', amount: 1 } },
        { tx: 'new' },
      );
      deepStrictEqual(await explain(api, { eventId: waiting, endpointId }), { kind: 'not_dispatched_yet' });
      await kit.worker().drain();
      const absent = { kind: 'not_subscribed', events: ['cancel'] };
      deepStrictEqual(await explain(api, { eventId: waiting, endpointId }), absent);

      await clock.pass(10_000);
      await api.call('DELETE /endpoints/:endpointId');
      const expired = { kind: 'expired', ...of, last, at: start + 40, reason: 'endpoint_deleted' };
      deepStrictEqual(await explain(api, { eventId: refused }), expired);
    },
  },
  {
    name: 'a page of large events is small, for many readers at once',
    run: async ({ send, platform: { kit } }) => {
      const event = { accountId: 'org_main', objectName: 'RequestPayment', type: 'creation' } as const;
      const note = 'x'.repeat(250_000);
      for (let nth = 0; nth < 100; nth += 1)
        await kit.events.publish({ ...event, data: { id: `large_${nth}`, amount: 1, note } }, { tx: 'new' });
      const request = { method: 'GET', path: '/events?limit=100&order=newest' };
      const pages = await Promise.all(Array.from({ length: 20 }, () => send(request)));
      for (const { headers, body } of pages) {
        strictEqual(body.items.length, 100);
        ok(Number(headers['content-length']) < 30_000, `a page has ${headers['content-length']} bytes`);
      }
    },
  },
  {
    name: 'an unknown event or endpoint is neither read nor explained',
    isReadOnly: true,
    run: async ({ refuses }) => {
      await refuses({ method: 'GET', path: '/events/:endpointId' }, 404, 'not_found');
      const path = '/events/:endpointId/explanations/:endpointId';
      await refuses({ method: 'GET', path }, 404, 'no_such_event');
      await refuses({ method: 'GET', path: '/events/:eventId/explanations/:eventId' }, 404, 'no_such_endpoint');
    },
  },
  {
    name: 'a delivery is sent again with the same bytes, once at a time',
    run: async (api) => {
      const { known, kit, sender } = api.platform;
      const again = '/deliveries/:deliveryId/send-again';
      const { body } = await api.call(`POST ${again}`);
      notStrictEqual(body.deliveryId, known['deliveryId']);
      await api.refuses({ method: 'POST', path: again }, 409, 'unfinished');
      await kit.worker().drain();
      const [first, second, ...others] = sender.posts.map((post) => post.body);
      strictEqual(first, second);
      deepStrictEqual(others, []);
      const states = await itemsOf(api, '/deliveries?eventId=:eventId');
      deepStrictEqual(
        states.map(({ id, state }: { readonly id: string; readonly state: string }) => [id, state]),
        [
          [known['deliveryId'], 'delivered'],
          [body.deliveryId, 'delivered'],
        ],
      );
    },
  },
  {
    name: 'what a disabled endpoint holds is not sent again',
    run: async (api) => {
      api.platform.answerWith({ status: 500 });
      const deliveryId = await deliveryOf(api, await api.platform.deliver());
      await api.call('POST /endpoints/:endpointId/disable');
      const path = `/deliveries/${encodeURIComponent(deliveryId)}/send-again`;
      await api.refuses({ method: 'POST', path }, 409, 'held');
    },
  },
  {
    name: 'a period in seconds is replayed to an enabled endpoint',
    run: async ({ call, refuses, platform: { kit, sender } }) => {
      const replay = async (from: number, to: number) =>
        (await call('POST /endpoints/:endpointId/replay', { body: { from, to } })).body;
      deepStrictEqual(await replay(start + 1, start + 60), { deliveries: 0 });
      deepStrictEqual(await replay(start, start + 1), { deliveries: 1 });
      // Its delivery is not finished.
      deepStrictEqual(await replay(start, start + 1), { deliveries: 0 });
      await kit.worker().drain();
      strictEqual(sender.posts.length, 2);
      const path = '/endpoints/:disabledEndpointId/replay';
      await refuses({ method: 'POST', path, body: { from: 0, to: 1 } }, 409, 'endpoint_disabled');
      const after = { from: 0, to: 1, after: 'made-up' };
      const unknown = await refuses(
        { method: 'POST', path: '/endpoints/:endpointId/replay', body: after },
        400,
        'invalid_cursor',
      );
      deepStrictEqual(unknown.body.errors, [{ pointer: '/after', detail: 'no next of this period.' }]);
    },
  },
  {
    name: 'what failed in a period in seconds is sent again, and nothing else',
    run: async ({ call, refuses, platform: { kit, clock, sender, exhaust } }) => {
      const recover = async (from: number, to: number, more: { readonly isDryRun?: boolean } = {}) =>
        (await call('POST /endpoints/:endpointId/recover', { body: { from, to, ...more } })).body;
      deepStrictEqual(await recover(start, start + 1), { deliveries: 0 });
      await exhaust();
      deepStrictEqual(await recover(start + 1, start + 60), { deliveries: 0 });
      const isDryRun = true;
      for (const _twice of [1, 2]) deepStrictEqual(await recover(start, start + 1, { isDryRun }), { deliveries: 1 });
      deepStrictEqual(await recover(start, start + 1), { deliveries: 1 });
      deepStrictEqual(await recover(start, start + 1, { isDryRun }), { deliveries: 0 });
      deepStrictEqual(await recover(start, start + 1), { deliveries: 0 });
      const posts = sender.posts.length;
      // It waits for the pause of the endpoint.
      await clock.pass(24 * hour);
      await kit.worker().drain();
      strictEqual(sender.posts.length, posts + 1);
      deepStrictEqual(await recover(start, start + 1), { deliveries: 0 });
      const path = '/endpoints/:disabledEndpointId/recover';
      await refuses({ method: 'POST', path, body: { from: 0, to: 1 } }, 409, 'endpoint_disabled');
      const after = { from: 0, to: 1, after: 'made-up' };
      const unknown = await refuses(
        { method: 'POST', path: '/endpoints/:endpointId/recover', body: after },
        400,
        'invalid_cursor',
      );
      deepStrictEqual(unknown.body.errors, [{ pointer: '/after', detail: 'no next of this period.' }]);
    },
  },
  {
    name: 'the backlog counts what is not finished, and how late it is in milliseconds',
    run: async (api) => {
      const { answerWith, clock, deliver, kit } = api.platform;
      const backlog = async () => (await api.call('GET /backlog')).body;
      answerWith({ status: 500, retryAfter: '60' });
      await deliver();
      await clock.pass(90_000);
      const event = { accountId: 'org_main', objectName: 'RequestPayment', type: 'payed' } as const;
      await kit.events.publish({ ...event, data: { id: 'payment_2', amount: 1 } }, { tx: 'new' });
      deepStrictEqual(await backlog(), { undispatched: 1, waiting: 1, held: 0, oldestDueMs: 30_000 });
      await api.call('POST /endpoints/:endpointId/disable');
      deepStrictEqual(await backlog(), { undispatched: 1, waiting: 0, held: 1 });
    },
  },
];
