import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ResultAsync } from '#result';
import { sized } from '../../../../../tools/tests/effort.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { defineEnvelope } from '../../../src/webhooks/envelope/webhook-envelope.ts';
import { hmac } from '../../../src/webhooks/signature/hmac-signature.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';
import { start, testClock } from '../../support/clock.ts';
import { call, login } from '../../support/http.ts';
import { anyAccount, platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';
import { forms, type OldClient, type OldEndpoint, type OldEvent, oldRows, startOldPlatform } from './old-platform.ts';

/** 10 clients and 15 endpoints each. */
const accountIds = Array.from({ length: sized(4, 20) }, (_, index) => `org-${index}`);
/** How many move at a time. */
const step = accountIds.length / 4;
const { clients, endpoints } = oldRows(accountIds);
const endpointAt = new Map(endpoints.map((endpoint) => [endpoint.url, endpoint]));

const sha256 = { algorithm: 'sha256' } as const;
const profiles = {
  github: {
    envelope: defineEnvelope({ name: 'github', write: forms.github.write }),
    signatures: [hmac({ ...sha256, header: 'X-Acme-Signature', encoding: 'hex', prefix: 'sha256=' })],
  },
  stripe: {
    envelope: defineEnvelope({ name: 'stripe', write: forms.stripe.write }),
    signatures: [
      hmac({
        ...sha256,
        header: 'Acme-Signature',
        encoding: 'hex',
        content: ['timestamp', { text: '.' }, 'body'],
        prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
      }),
    ],
  },
  svix: {
    envelope: defineEnvelope({ name: 'svix', write: forms.svix.write }),
    signatures: [
      hmac({
        ...sha256,
        header: 'svix-signature',
        encoding: 'base64',
        content: ['id', { text: '.' }, 'timestamp', { text: '.' }, 'body'],
        prefix: 'v1,',
        idHeader: 'svix-id',
        timestampHeader: 'svix-timestamp',
        key: 'base64',
      }),
    ],
  },
} as const;

const clientRows = clients.map(({ accountId, id, kind, digest }) => ({
  ...{ accountId, id, name: `Client ${id}` },
  secrets: [kind === 'sha256' ? { sha256: digest } : { legacy: true as const }],
}));
const endpointRows = endpoints.map(({ form, ...row }) => ({
  ...row,
  ...{ events: ['payed'] as const, profile: form, state: 'disabled' as const },
}));

/** The partners: their receivers verify and count as before, and are busy now and then. */
const partners = (now: () => number) => {
  const refused: string[] = [];
  const taken = new Map<string, number>();
  let posts = 0;
  // The library of Standard Webhooks reads the clock of the system.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const receive = (url: string, headers: Readonly<Record<string, string>>, body: string): number => {
    const { form, secret } = endpointAt.get(url) as OldEndpoint;
    vi.setSystemTime(now());
    if (!forms[form].verify(headers, body, secret)) {
      refused.push(url);
      return 401;
    }
    posts += 1;
    if (posts % 17 === 0) return 503;
    const { object, data = object } = JSON.parse(body);
    const key = `${url} ${(data.object ?? data).id}`;
    taken.set(key, (taken.get(key) ?? 0) + 1);
    return 204;
  };
  return { refused, taken, receive };
};

const world = () => {
  const clock = testClock(start);
  const seconds = (): number => Math.floor(clock.now() / 1_000);
  const { refused, taken, receive } = partners(clock.now);
  const old = startOldPlatform({ clients, endpoints, now: seconds, post: receive });
  const tokens = memoryAccessTokens({ random: seededRandom() });
  const bodies: (readonly [url: string, body: string])[] = [];
  const sender = memorySender(({ url, headers, body }) => {
    bodies.push([url, body]);
    return { kind: 'answered', status: receive(url, headers, body), body: '', durationMs: 1 };
  });
  const { kit } = platform({
    ...{ clock, sender, tokens, accounts: anyAccount },
    webhooks: { profiles },
    api: { pathAliases: { basePaths: ['/partner/v2'], login: ['/partner/v2/oauth'] } },
    imported: {
      clients: true,
      legacySecrets: { verify: async (id, secret) => old.verifySecret(id, secret), storeDigest: true },
      legacyTokens: { verify: async (token) => old.verifyToken(token) },
    },
  });

  const events = new Map<string, OldEvent>();
  /** The host publishes in both systems. */
  const publish = async (accountId: string): Promise<void> => {
    const data = { id: `pay_${events.size}`, status: 'é' };
    const about = { accountId, objectName: 'RequestPayment', type: 'payed', data } as const;
    const published = await kit.events.publish(about, { tx: 'new' });
    const event = { ...about, id: `old-${events.size}`, timestamp: seconds() };
    events.set(published.eventId, event);
    old.publish(event);
  };

  // The paths of the login and of the API lead to one of both.
  let side: 'old' | 'new' = 'old';
  const held = new Map<string, { readonly token: string; readonly until: number }>();
  const failed: string[] = [];
  const login = async ({ id, secret }: OldClient): Promise<string | undefined> => {
    if (side === 'old') return old.login(id, secret);
    const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
    const answer = await call(kit, 'POST', '/partner/v2/oauth', {
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=USER',
    });
    return answer.status === 200 ? JSON.parse(answer.body).access_token : undefined;
  };
  /** The old server takes its own tokens and those of partnerkit, which it verifies by the public keys. */
  const mayRead = async ({ accountId }: OldClient, token: string): Promise<boolean> => {
    if (side === 'old') return old.verifyToken(token) !== undefined || (await tokens.verify(token)) !== undefined;
    const headers = { authorization: `Bearer ${token}` };
    return (await call(kit, 'GET', `/partner/v2/organisations/${accountId}/me`, { headers })).status === 200;
  };
  /** A partner's OAuth client: it logs in when its token is old, and calls. */
  const act = async (client: OldClient): Promise<void> => {
    const known = held.get(client.id);
    const token = known && known.until > seconds() ? known.token : await login(client);
    if (token === undefined || !(await mayRead(client, token))) failed.push(`${side} ${client.id}`);
    else if (token !== known?.token) held.set(client.id, { token, until: seconds() + 60 });
  };

  const worker = kit.worker();
  let ticks = 0;
  /** Everybody works for six seconds. */
  const work = async (): Promise<void> => {
    for (const accountId of accountIds) await publish(accountId);
    for (const client of clients) if (clients.indexOf(client) % 8 === ticks % 8) await act(client);
    old.send();
    await worker.drain();
    ticks += 1;
    await clock.advance(6_000);
  };
  const route = (to: 'old' | 'new'): void => {
    side = to;
  };
  return { kit, old, work, worker, clock, publish, route, events, bodies, refused, taken, failed };
};

test('assertMovesInAndOut: both senders and all partners at work, and no request is refused', async () => {
  const { kit, old, work, worker, clock, publish, route, events, bodies, refused, taken, failed } = world();
  const idOf = new Map<string, string>();
  const ofAccount = (accountId: string) => endpoints.filter((each) => each.accountId === accountId);
  const eachEndpoint = async (accountId: string, act: (id: string) => ResultAsync<unknown, unknown>) => {
    for (const { url } of ofAccount(accountId)) expect((await act(idOf.get(url) ?? '')).isOk()).toBe(true);
  };
  await work();
  await work();

  const imported = (await kit.import.endpoints(endpointRows))._unsafeUnwrap();
  expect((await kit.import.clients(clientRows))._unsafeUnwrap().counts.created).toBe(clients.length);
  expect(imported.counts.created).toBe(endpoints.length);
  for (const { row, id = '' } of imported.rows) idOf.set(endpoints[row]?.url ?? '', id);
  await work();
  expect(bodies).toEqual([]);

  // In: a quarter of the accounts at a time. What happens between both senders is replayed.
  for (let first = 0; first < accountIds.length; first += step) {
    const moving = accountIds.slice(first, first + step);
    for (const accountId of moving) old.stop(accountId);
    await clock.advance(1_000);
    const from = clock.now();
    for (const accountId of moving) await publish(accountId);
    while (!moving.every(old.isIdle)) old.send();
    for (const accountId of moving)
      await eachEndpoint(accountId, (endpointId) => kit.endpoints.enable(accountId, endpointId));
    await worker.drain();
    for (const accountId of moving)
      await eachEndpoint(accountId, (id) => kit.deliveries.replay(accountId, id, { from, to: clock.now() }));
    if (first === 2 * step) route('new');
    await work();
  }
  for (let times = 0; times < 8; times++) await work();
  expect(bodies.length).toBeGreaterThan(8 * endpoints.length);

  let resent = 0;
  // Out again. What partnerkit has not delivered is held, and the old sender sends it.
  for (let first = 0; first < accountIds.length; first += step) {
    const moving = accountIds.slice(first, first + step);
    for (const accountId of moving)
      await eachEndpoint(accountId, (endpointId) => kit.endpoints.disable(accountId, endpointId));
    const before = events.size;
    for (const accountId of moving) await publish(accountId);
    await worker.drain();
    for (const accountId of moving) {
      const held = (await kit.deliveries.list(accountId, { state: 'held', page: { limit: 100 } }))._unsafeUnwrap();
      resent += held.items.length;
      const left = held.items.map(({ eventId, endpointId }) => {
        const to = ofAccount(accountId).filter(({ url }) => idOf.get(url) === endpointId);
        return [events.get(eventId) as OldEvent, to] as const;
      });
      const between = [...events.values()].slice(before).filter((event) => event.accountId === accountId);
      old.start(accountId, [...left, ...between.map((event) => [event, ofAccount(accountId)] as const)]);
    }
    if (first === 2 * step) route('old');
    await work();
  }
  for (let times = 0; times < 8; times++) await work();
  while (!accountIds.every(old.isIdle)) old.send();

  expect(resent).toBeGreaterThan(0);
  expect(refused).toEqual([]);
  expect(failed).toEqual([]);
  const expected = [...events.values()].flatMap(({ accountId, data }) =>
    ofAccount(accountId).map(({ url }) => `${url} ${data.id}`),
  );
  expect([...taken.keys()].sort()).toEqual(expected.sort());
  expect([...taken].filter(([, times]) => times !== 1)).toEqual([]);
  // Every body of partnerkit is, byte for byte, what the old sender writes for the same event.
  const byPayment = new Map([...events].map(([id, event]) => [event.data.id, { ...event, id }]));
  for (const [url, body] of bodies) {
    const event = byPayment.get(/"id":"(pay_\d+)"/.exec(body)?.[1] ?? '') as OldEvent;
    expect(body).toBe(forms[endpointAt.get(url)?.form ?? 'svix'].write(event));
  }
});

test('a wrong secret, and a secret of another client, are refused in every form', async () => {
  const { kit, old } = world();
  (await kit.import.clients(clientRows))._unsafeUnwrap();
  for (const [index, { id, secret }] of clients.slice(0, 4).entries()) {
    for (const client_secret of ['x'.repeat(32), clients[index + 4]?.secret, '0'.repeat(64)])
      expect((await login(kit, { client_id: id, client_secret })).status).toBe(401);
    expect((await login(kit, { client_id: id, client_secret: secret })).status).toBe(200);
  }
  const stranger = { client_id: 'nobody', client_secret: clients[0]?.secret };
  expect((await login(kit, stranger)).status).toBe(401);
  expect(old.login('nobody', clients[0]?.secret ?? '')).toBeUndefined();
});

test('two signatures during a changeover: the old receiver verifies the old one', async () => {
  const sender = memorySender();
  const signatures = [standardWebhooks({ key: 'utf8' }), specificationSignature()];
  const { kit } = platform({ sender, accounts: anyAccount, webhooks: { signatures } });
  const secret = 'an old secret of theirs';
  const row = {
    accountId: 'org-1',
    reference: 'a',
    url: 'https://partner.example/',
    events: ['payed'],
    secret,
  } as const;
  (await kit.import.endpoints([row]))._unsafeUnwrap();
  await kit.events.publish(
    { accountId: 'org-1', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } },
    { tx: 'new' },
  );
  await kit.worker().drain();
  const [post] = sender.posts;
  expect(post?.headers['x-webhook-signature']).toBe(
    createHmac('sha1', secret)
      .update(post?.body ?? '')
      .digest('hex'),
  );
});
