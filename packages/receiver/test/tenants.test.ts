import { createHmac } from 'node:crypto';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import {
  createReceiver,
  ed25519,
  hmac,
  memorySeenKeys,
  type SignatureScheme,
  specificationSignature,
  standardWebhooks,
} from '@partnerkit/receiver';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { request } from './support/platform.ts';

const own = { algorithm: 'sha256', encoding: 'hex' } as const;
const stripe = hmac({
  ...{ header: 'X-Acme', ...own, content: ['timestamp', { text: '.' }, 'body'] },
  prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
});
const svix = hmac({
  ...{ header: 'X-Acme', ...own, content: ['id', { text: '.' }, 'timestamp', { text: '.' }, 'body'] },
  ...{ idHeader: 'X-Acme-Id', timestampHeader: 'X-Acme-Time', key: 'base64' },
});
const urlFirst = hmac({ header: 'X-Acme', ...own, content: ['url', 'body'] });
const urlLast = hmac({ header: 'X-Acme', ...own, content: ['body', { text: '|' }, 'url'] });
const asymmetric = ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(7) }] });

const noSecret = '401 wrong_signature';
const otherEndpoint = '401 wrong_endpoint';
/** The platform gave several endpoints one secret, and nothing of the request says for whom it is. */
const forgeable = '204';

/** What a receiver answers to what another endpoint got: with a secret of its own, and with one secret for all. */
const table: readonly (readonly [name: string, signatures: readonly SignatureScheme[], own: string, one: string])[] = [
  ['X-WEBHOOK-SIGNATURE', [specificationSignature()], noSecret, forgeable],
  ['Standard Webhooks', [standardWebhooks()], noSecret, otherEndpoint],
  ['Standard Webhooks, the text of the secret', [standardWebhooks({ key: 'utf8' })], noSecret, otherEndpoint],
  ['Ed25519', [asymmetric], otherEndpoint, otherEndpoint],
  ['Ed25519 beside Standard Webhooks', [standardWebhooks(), asymmetric], noSecret, otherEndpoint],
  ['HMAC of the body', [hmac({ header: 'X-Acme', ...own, prefix: 'sha256=' })], noSecret, forgeable],
  ['HMAC of time and body', [stripe], noSecret, forgeable],
  ['HMAC of id, time and body', [svix], noSecret, forgeable],
  ['HMAC of URL and body', [urlFirst], noSecret, noSecret],
  ['HMAC of body and URL', [urlLast], noSecret, noSecret],
];

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;
/** Two endpoints of one account, and one of another; the URL of each begins with that of the first. */
const rows = [
  { reference: '1', accountId: 'a', url: 'https://partner.example/in' },
  { reference: '2', accountId: 'a', url: 'https://partner.example/in/2' },
  { reference: '3', accountId: 'b', url: 'https://partner.example/in{"timestamp":1}' },
] as const;

/** What each endpoint gets of its account's event, signed by a kit. */
const platform = async (
  signatures: readonly SignatureScheme[],
  secrets: readonly string[],
  endpoints: readonly { readonly reference: string; readonly accountId: string; readonly url: string }[] = rows,
) => {
  const sender = memorySender();
  const account = { name: 'Partner', status: 'active', environment: 'prod' } as const;
  const kit = createPartnerkit({
    accounts: memoryAccounts([
      { id: 'a', ...account },
      { id: 'b', ...account },
    ]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
    objects: [
      defineObject('RequestPayment', {
        schema: z.object({ id: z.string() }),
        groups: { all: ['id'] },
        events: { default: ['all'] },
      }),
    ],
    webhooks: { signatures },
  });
  const events = ['payed'] as const;
  const given = endpoints.map((row, index) => ({ ...row, events, secret: secrets[index] ?? '' }));
  const report = (await kit.import.endpoints(given))._unsafeUnwrap();
  for (const accountId of ['a', 'b'])
    await kit.events.publish(
      { accountId, objectName: 'RequestPayment', type: 'payed', data: { id: `pay_${accountId}` } },
      { tx: 'new' },
    );
  await kit.worker().drain();
  return endpoints.map(({ url }, index) => {
    const { headers, body } = sender.posts.find((post) => post.url === url) ?? expect.unreachable(url);
    return { id: report.rows[index]?.id ?? '', url, secret: secrets[index] ?? '', headers, body };
  });
};

/** What the receiver of the first endpoint answers to what each endpoint got, and the events that it handled. */
const answersOf = async (signatures: readonly SignatureScheme[], secrets: readonly [string, string, string]) => {
  const endpoints = await platform(signatures, secrets);
  const [{ id, url, secret }] = endpoints as [(typeof endpoints)[number]];
  const handled: string[] = [];
  const receiver = createReceiver({
    secrets: [secret],
    endpoints: [id],
    url,
    profiles: [{ signatures }],
    seen: memorySeenKeys(),
    on: {},
    otherwise: ({ data }) => void handled.push((data as { readonly id: string }).id),
  });
  const answers: string[] = [];
  for (const { headers, body } of endpoints.toReversed()) {
    const answer = await receiver.handle(request(Buffer.from(body), headers));
    answers.push(answer.status === 204 ? '204' : `${answer.status} ${JSON.parse(String(answer.body)).code}`);
  }
  return { answers: answers.reverse(), handled };
};

test.each(table)('assertNoMessageOfAnotherTenantIsTaken: %s', async (_name, signatures, ofOthers) => {
  const { answers, handled } = await answersOf(signatures, [secretOf(1), secretOf(2), secretOf(3)]);
  expect(answers).toEqual(['204', ofOthers, ofOthers]);
  expect(handled).toEqual(['pay_a']);
});

test.each(table)('one imported secret for several endpoints: %s', async (_name, signatures, _ofOthers, ofOthers) => {
  const { answers } = await answersOf(signatures, [secretOf(1), secretOf(1), secretOf(1)]);
  expect(answers).toEqual(['204', ofOthers, ofOthers]);
});

test.each([
  'https://partner.example/in',
  'https://partner.example',
  'HTTPS://Partner.Example/In',
  'https://partner.example:443/in',
  'https://partner.example/a/../in',
  'https://partner.example/été?q=a b',
  'https://bücher.example/in',
])('a signature covers the URL as it was registered: %s', async (url) => {
  const rows = [{ reference: '1', accountId: 'a', url }] as const;
  const [post] = await platform([urlFirst], [secretOf(1)], rows);
  const { headers, body, secret } = post ?? expect.unreachable();
  expect(headers['x-acme']).toBe(createHmac('sha256', secret).update(`${url}${body}`).digest('hex'));
  const answerTo = async (registered: string) => {
    const options = { secrets: [secret], url: registered, profiles: [{ signatures: [urlFirst] }] };
    const receiver = createReceiver({ ...options, seen: memorySeenKeys(), on: {} });
    return (await receiver.handle(request(Buffer.from(body), headers))).status;
  };
  expect(await answerTo(url)).toBe(204);
  expect(await answerTo(`${url}/`)).toBe(401);
});
