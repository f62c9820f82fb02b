import { createHash, createHmac, pbkdf2Sync, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { expect, test } from 'vitest';
import { defineEnvelope, standardWebhooksEnvelope } from '../../src/envelope/webhook-envelope.ts';
import { memorySender } from '../../src/memory/sender.ts';
import { memoryStorage } from '../../src/memory/storage.ts';
import { hmac } from '../../src/signature/hmac-signature.ts';
import { specificationSignature } from '../../src/signature/specification-signature.ts';
import { standardWebhooks } from '../../src/signature/standard-signature.ts';
import { start, testClock } from '../support/clock.ts';
import { call, login } from '../support/http.ts';
import { platform } from '../support/kit.ts';

const [clientCount, endpointCount, accountCount] = [200, 300, 20];
const accountOf = (index: number): string => `org-${index % accountCount}`;
const accounts = { find: async (id: string) => ({ id, name: id, status: 'active', environment: 'prod' }) };

/** The clients of the stand-in platform: digests in four forms. */
interface OldClient {
  readonly id: string;
  readonly accountId: string;
  readonly secret: string;
  readonly stored: {
    readonly kind: 'sha256' | 'plain' | 'scrypt' | 'pbkdf2';
    readonly salt: Buffer;
    readonly digest: Buffer;
  };
}

const digestOf = (kind: OldClient['stored']['kind'], secret: string, salt: Buffer): Buffer => {
  if (kind === 'sha256') return createHash('sha256').update(secret).digest();
  if (kind === 'scrypt') return scryptSync(secret, salt, 32, { N: 16 });
  if (kind === 'pbkdf2') return pbkdf2Sync(secret, salt, 10, 32, 'sha256');
  return Buffer.from(secret);
};

const kinds = ['sha256', 'plain', 'scrypt', 'pbkdf2'] as const;
const oldClients: readonly OldClient[] = Array.from({ length: clientCount }, (_, index) => {
  const kind = kinds[index % 4] as OldClient['stored']['kind'];
  const [salt, secret] = [randomBytes(8), randomBytes(24).toString('base64url')];
  const id = index % 2 === 0 ? `partner:${index}@acme/v2` : `${10_000 + index}`;
  return { id, accountId: accountOf(index), secret, stored: { kind, salt, digest: digestOf(kind, secret, salt) } };
});

const oldLogin = (clientId: string, secret: string): boolean => {
  const found = oldClients.find(({ id }) => id === clientId);
  const { kind, salt, digest } = found?.stored ?? { kind: 'scrypt', salt: Buffer.alloc(8), digest: Buffer.alloc(32) };
  const given = digestOf(kind, secret, salt);
  return given.length === digest.length && timingSafeEqual(given, digest) && found !== undefined;
};

/** The endpoints of the stand-in platform: three ways to write and sign, each verified as its partners do. */
interface Message {
  readonly id: string;
  readonly timestamp: number;
  readonly objectName: string;
  readonly type: string;
  readonly data: unknown;
}
interface Form {
  readonly write: (message: Message) => string;
  readonly verify: (headers: Readonly<Record<string, string>>, body: string, secret: string) => boolean;
}
const hexOf = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');
const forms: Readonly<Record<'acme' | 'stripe' | 'svix', Form>> = {
  acme: {
    write: ({ id, timestamp, objectName, type, data }) =>
      JSON.stringify({ uid: id, event: `${objectName}/${type}`, at: timestamp, object: data }),
    verify: (headers, body, secret) => headers['x-acme-signature'] === `sha256=${hexOf(secret, body)}`,
  },
  stripe: {
    write: ({ id, timestamp, objectName, type, data }) =>
      JSON.stringify({
        id: `evt_${id}`,
        object: 'event',
        created: timestamp,
        type: `${objectName}.${type}`,
        data: { object: data },
      }),
    verify: (headers, body, secret) => {
      const [, timestamp, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['acme-signature'] ?? '') ?? [];
      return digest === hexOf(secret, `${timestamp}.${body}`);
    },
  },
  svix: {
    write: ({ timestamp, objectName, type, data }) =>
      JSON.stringify({
        type: `${objectName}.${type}`,
        timestamp: new Date(timestamp * 1_000).toISOString().replace('.000', ''),
        data,
      }),
    verify: (headers, body, secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    },
  },
};
const names = ['acme', 'stripe', 'svix'] as const;
const oldEndpoints = Array.from({ length: endpointCount }, (_, index) => {
  const form = names[index % 3] as (typeof names)[number];
  const secret = form === 'svix' ? `whsec_${randomBytes(24).toString('base64')}` : randomBytes(20).toString('hex');
  return {
    reference: `hook/${index}`,
    accountId: accountOf(index),
    url: `https://partner-${index}.example/in`,
    form,
    secret,
  };
});

const profiles = {
  acme: {
    envelope: defineEnvelope({ name: 'acme', write: forms.acme.write }),
    signatures: [hmac({ header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' })],
  },
  stripe: {
    envelope: defineEnvelope({ name: 'stripe', write: forms.stripe.write }),
    signatures: [
      hmac({
        header: 'Acme-Signature',
        algorithm: 'sha256',
        encoding: 'hex',
        content: ['timestamp', { text: '.' }, 'body'],
        prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
      }),
    ],
  },
  svix: { envelope: standardWebhooksEnvelope(), signatures: [standardWebhooks()] },
} as const;

const secretOf = ({ secret, stored: { kind, digest } }: OldClient) => {
  if (kind === 'sha256') return { sha256: digest.toString('hex') };
  return kind === 'plain' ? { text: secret } : { legacy: true as const };
};
const clientRows = oldClients.map((client) => ({
  accountId: client.accountId,
  id: client.id,
  name: `Client ${client.id}`,
  secrets: [secretOf(client)],
}));
const endpointRows = oldEndpoints.map(({ form, ...row }) => ({ ...row, events: ['payed'] as const, profile: form }));

const world = () => {
  const clock = testClock(start);
  const sender = memorySender();
  const storage = memoryStorage({ clock });
  const made = platform({
    ...{ clock, sender, storage, accounts },
    webhooks: { profiles },
    http: { pathAliases: { login: ['/partner/v2/oauth'] } },
    oauth: { importedClients: true, legacySecrets: { verify: async (id, secret) => oldLogin(id, secret) } },
  });
  return { ...made, sender, clock };
};

test('assertMovesInAndOut: 200 clients and 300 endpoints, and no partner changes anything', async () => {
  const { kit, sender } = world();
  const dry = (await kit.import.clients(clientRows, { dryRun: true }))._unsafeUnwrap();
  expect(dry.counts).toEqual({ created: 200, unchanged: 0, differs: 0, refused: 0 });
  expect((await kit.clients.list(accountOf(0)))._unsafeUnwrap().items).toEqual([]);
  expect((await kit.import.clients(clientRows))._unsafeUnwrap().counts.created).toBe(clientCount);
  expect((await kit.import.endpoints(endpointRows))._unsafeUnwrap().counts.created).toBe(endpointCount);

  // Their OAuth clients go on, at the old path, by HTTP Basic.
  for (const { id, secret } of oldClients) {
    const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
    const answer = await call(kit, 'POST', '/partner/v2/oauth', {
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=USER',
      remoteAddress: '203.0.113.7',
    });
    expect(answer.status).toBe(200);
  }

  // Their receivers go on: each verifies as before, and every byte of the body is as the old sender wrote it.
  for (let index = 0; index < accountCount; index++)
    await kit.events.publish(
      {
        accountId: accountOf(index),
        objectName: 'RequestPayment',
        type: 'payed',
        data: { id: `p${index}`, status: 'é' },
      },
      { tx: 'new' },
    );
  await kit.worker().drain();
  expect(sender.posts).toHaveLength(endpointCount);
  for (const { url, headers, body } of sender.posts) {
    const { form, secret } = oldEndpoints.find((each) => each.url === url) as (typeof oldEndpoints)[number];
    expect(forms[form].verify(headers, body, secret)).toBe(true);
    const eventId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(headers['webhook-id'] ?? body)?.[0] ?? '';
    const data = { id: /"id":"(p\d+)"/.exec(body)?.[1], status: 'é' };
    const message = { id: eventId, timestamp: start / 1_000, objectName: 'RequestPayment', type: 'payed', data };
    expect(body).toBe(forms[form].write(message));
    expect(headers['x-webhook-signature']).toBeUndefined();
  }

  // And back: the old system kept its rows, and nothing of the partners' changed meanwhile.
  expect(oldClients.filter(({ id, secret }) => !oldLogin(id, secret))).toEqual([]);
  expect((await kit.import.clients(clientRows))._unsafeUnwrap().counts.unchanged).toBe(clientCount);
  expect((await kit.import.endpoints(endpointRows))._unsafeUnwrap().counts.unchanged).toBe(endpointCount);
});

test('a wrong secret, and a secret of another client, are refused in every form', async () => {
  const { kit } = world();
  (await kit.import.clients(clientRows.slice(0, 8)))._unsafeUnwrap();
  for (const [index, { id }] of oldClients.slice(0, 4).entries())
    for (const client_secret of ['x'.repeat(32), oldClients[index + 4]?.secret, '0'.repeat(64)])
      expect((await login(kit, { client_id: id, client_secret })).status).toBe(401);
  const { id, secret } = oldClients[20] as OldClient;
  expect((await login(kit, { client_id: id, client_secret: secret })).status).toBe(401);
});

test('two signatures during a changeover: the old receiver verifies the old one', async () => {
  const sender = memorySender();
  const signatures = [standardWebhooks({ key: 'utf8' }), specificationSignature()];
  const { kit } = platform({ sender, accounts, webhooks: { signatures } });
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
