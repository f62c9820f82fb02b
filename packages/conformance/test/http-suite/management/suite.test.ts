import { createPartnerkit, defineObject, type HttpResponse, type OpenApiDocument, type Route } from '@partnerkit/core';
import type { ClientStore, DeliveryLog, EndpointStore } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { manualClock } from '../../../../testing/src/scripted/clock.ts';
import { inProcess } from '../../../../testing/src/scripted/in-process.ts';
import { managementHttpSuite } from '../../../src/http-suite/index.ts';
import { rows } from '../../../src/http-suite/management/table.ts';
import { start } from '../least-host.ts';
import { createRefusalLog } from '../support/refusal-log.ts';

const log = createRefusalLog();
const basePath = '/api/v1/partner-management';
const all = { keys: 'write', webhooks: 'write', deliveries: 'write' } as const;
const hook = { url: 'https://partner.example/hooks', events: ['payed'] } as const;
const day = 86_400_000;

describe('the least host holds', () => {
  managementHttpSuite({ test, start: start(), onAnswer: log.onAnswer });
});

/** A platform whose stores lose every race after `lose`, and have no old event after `forget`. */
const open = async () => {
  const clock = manualClock();
  const stored = memoryStorage({ clock });
  let [loses, forgets] = [false, false];
  const storage = {
    ...stored,
    clients: {
      ...stored.clients,
      replaceClient: async (client) => !loses && stored.clients.replaceClient(client),
      deleteClient: async (client) => !loses && stored.clients.deleteClient(client),
    } satisfies ClientStore,
    endpoints: {
      ...stored.endpoints,
      replaceEndpoint: async (endpoint) => !loses && stored.endpoints.replaceEndpoint(endpoint),
      resumeEndpoint: async (...of) => !loses && stored.endpoints.resumeEndpoint(...of),
    } satisfies EndpointStore,
    log: {
      ...stored.log,
      // Deliveries are kept longer than their events.
      sendAgain: async (...of) => (forgets ? { kind: 'event_dropped' } : stored.log.sendAgain(...of)),
    } satisfies DeliveryLog,
  };
  let outcome: { readonly status: number; readonly retryAfter?: string } = { status: 200 };
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: 'org', name: 'Org', status: 'active', environment: 'prod' }]),
    storage,
    tokens: memoryAccessTokens(),
    sender: memorySender(() => ({ kind: 'answered', ...outcome, body: '', durationMs: 1 })),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }], clock },
    objects: [
      defineObject('RequestPayment', {
        schema: z.object({ id: z.string(), amount: z.number() }),
        groups: { all: ['amount'] },
        events: { default: ['all'] },
      }),
    ],
    webhooks: { maxEndpoints: 2 },
    limits: Object.fromEntries(
      ['keys', 'endpoints', 'testEvents'].map((name) => [`${name}PerAccount`, { points: 2, window: day }]),
    ),
  });
  const routes: readonly Route[] = kit.managementRoutes({
    authorize: () => ({ accountId: 'org', userId: 'user_1', can: all }),
  });
  const document: OpenApiDocument = kit.openApi({ title: 'Management', routes });
  const ask = inProcess(routes);

  /** What a request is answered: its status and code. */
  const answer = async (name: string, json?: unknown): Promise<readonly unknown[]> => {
    const [method = '', path = ''] = name.split(' ');
    const target = `${basePath}${path}`;
    const { status, headers, body }: HttpResponse = await ask(method, target, json === undefined ? {} : { json });
    log.onAnswer({ document, method, target, status, headers, body });
    return [status, body === '' ? undefined : JSON.parse(body).code];
  };
  const key = (await kit.clients.create('org', { name: 'Key' }))._unsafeUnwrap();
  const { endpoint } = (await kit.endpoints.create('org', hook))._unsafeUnwrap();
  (await kit.endpoints.prepareSecret('org', endpoint.id))._unsafeUnwrap();
  /** Publishes an event and delivers it; returns the id of its delivery. */
  const deliver = async (): Promise<string> => {
    const event = { accountId: 'org', objectName: 'RequestPayment', type: 'payed' } as const;
    const { eventId } = await kit.events.publish({ ...event, data: { id: 'p_1', amount: 1 } }, { tx: 'new' });
    await kit.worker().drain();
    const listed = await kit.deliveries.list('org', { eventId });
    return listed._unsafeUnwrap().items[0]?.id ?? '';
  };
  return {
    answer,
    deliver,
    known: { keyId: key.client.id, secretId: key.secretId, endpointId: endpoint.id } as Record<string, string>,
    lose: () => {
      loses = true;
    },
    forget: () => {
      forgets = true;
    },
    /** Lets the receiver pause the endpoint. */
    pause: async () => {
      outcome = { status: 429, retryAfter: '3600' };
      await deliver();
    },
  };
};

const fill = (path: string, known: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_whole, name: string) => known[name] ?? 'x');

test('a path with an id that is no UTF-8, or longer than 256 bytes, is refused', async () => {
  const { answer } = await open();
  for (const { method, path } of rows.filter((row) => row.path.includes(':'))) {
    const at = (id: string) => `${method} ${path.replace(/:\w+/, id).replace(/:\w+/g, 'x')}`;
    const json = method === 'GET' ? undefined : {};
    expect(await answer(at('%ff'), json), path).toEqual([400, 'bad_request']);
    expect(await answer(at('x'.repeat(257)), json), path).toEqual([404, 'not_found']);
  }
});

test('a change that loses a race is a conflict', async () => {
  const { answer, known, lose, pause } = await open();
  await pause();
  lose();
  const changes = [
    ['POST /endpoints/:endpointId/resume'],
    ['PATCH /api-keys/:keyId', { name: 'Other' }],
    ['DELETE /api-keys/:keyId'],
    ['POST /api-keys/:keyId/secrets'],
    ['POST /api-keys/:keyId/secrets/:secretId/expire'],
    ['POST /api-keys/:keyId/secrets/:secretId/revoke'],
    ['POST /api-keys/:keyId/revoke-tokens'],
    ['POST /api-keys/:keyId/disable'],
    ['POST /api-keys/:keyId/enable'],
    ['PATCH /endpoints/:endpointId', { includeChildren: true }],
    ['POST /endpoints/:endpointId/enable'],
    ['POST /endpoints/:endpointId/disable'],
    ['POST /endpoints/:endpointId/secret/prepare'],
    ['POST /endpoints/:endpointId/secret/activate'],
    ['POST /endpoints/:endpointId/secret/cancel'],
  ] as const;
  for (const [name, json = {}] of changes)
    expect([name, await answer(fill(name, known), json)]).toEqual([name, [409, 'changed_meanwhile']]);
});

test('creations have limits, and endpoints a maximum', async () => {
  const { answer, known } = await open();
  const made = () => answer('POST /endpoints', hook);
  expect([await made(), await made()]).toEqual([
    [201, undefined],
    [409, 'too_many_endpoints'],
  ]);
  const data = { objectName: 'RequestPayment', type: 'payed', data: { amount: 1 } };
  for (const [name, json, status] of [
    ['POST /api-keys', { name: 'Till' }, 201],
    ['POST /endpoints/:endpointId/test', data, 202],
  ] as const) {
    const answers = [];
    for (let call = 0; call < 3; call++) answers.push(await answer(fill(name, known), json));
    expect(answers).toEqual([
      [status, undefined],
      [status, undefined],
      [429, 'too_many_requests'],
    ]);
  }
  // A refused creation takes no point of the limit: one is left.
  expect((await answer(`DELETE /endpoints/${known['endpointId']}`, {}))[0]).toBe(204);
  expect([(await made())[0], await made()]).toEqual([201, [429, 'too_many_requests']]);
});

test('a delivery is not sent again to a disabled or deleted endpoint, or without its event', async () => {
  const { answer, known, deliver, forget } = await open();
  const { endpointId = '' } = known;
  const again = (deliveryId: string) => answer(`POST /deliveries/${deliveryId}/send-again`, {});
  const delivered = await deliver();
  await answer(`POST /endpoints/${endpointId}/disable`, {});
  expect(await again(delivered)).toEqual([409, 'endpoint_disabled']);
  await answer(`POST /endpoints/${endpointId}/enable`, {});
  await answer(`DELETE /endpoints/${endpointId}`, {});
  expect(await again(delivered)).toEqual([409, 'endpoint_deleted']);
  forget();
  expect(await again(delivered)).toEqual([409, 'event_dropped']);
});

test('the document lists what is answered, and nothing else is listed', () => {
  expect(log.unreached()).toEqual([]);
  expect(log.placeless()).toEqual([]);
  // Of a path that serves other methods.
  expect(log.unlisted()).toEqual(['createApiKey 405 method_not_allowed', 'listApiKeys 405 method_not_allowed']);
});
