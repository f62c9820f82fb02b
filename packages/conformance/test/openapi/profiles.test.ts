import { createHmac } from 'node:crypto';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import {
  defineEnvelope,
  ed25519,
  hmac,
  specificationSignature,
  standardWebhooks,
  standardWebhooksEnvelope,
} from '@partnerkit/core/wire';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { z } from 'zod';

const info = {
  title: 'Partner API',
  info: { license: { name: 'Proprietary', url: 'https://platform.example/terms' } },
  servers: [{ url: 'https://api.platform.example' }],
} as const;

const kit = createPartnerkit({
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
  objects: [
    defineObject('RequestPayment', {
      schema: z.object({ id: z.string(), amount: z.int() }),
      groups: { all: ['amount'] },
      events: { default: ['all'] },
    }),
  ],
  webhooks: {
    signatures: [specificationSignature({ until: Date.UTC(2027, 2, 1) }), standardWebhooks()],
    profiles: {
      acme: {
        envelope: defineEnvelope({
          name: 'acme',
          write: ({ id, timestamp, data }) => JSON.stringify({ uid: id, at: timestamp, object: data }),
        }),
        signatures: [
          hmac({
            header: 'Acme-Signature',
            algorithm: 'sha256',
            encoding: 'hex',
            content: ['timestamp', { text: '.' }, 'body'],
            prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
          }),
        ],
        headers: { 'X-Acme-Event': ['objectName', { text: '/' }, 'type'], 'X-Acme': 'v7' },
      },
      keys: {
        envelope: standardWebhooksEnvelope(),
        signatures: [ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(7) }] })],
      },
    },
  },
});

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: { readonly pattern?: string; readonly examples?: readonly string[] };
}
interface Hook {
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: unknown; readonly example: object } };
  };
}

/** A webhook of a profile, with its parameters in place. */
const hook = (profile?: string) => {
  const { webhooks = {}, components } = kit.openApi({ ...info, ...(profile === undefined ? {} : { profile }) });
  const { post } = webhooks['RequestPayment.payed'] ?? {};
  const { parameters, requestBody } = post as Hook;
  const inPlace = (each: Hook['parameters'][number]): Parameter =>
    '$ref' in each ? (components.parameters[each.$ref.replace('#/components/parameters/', '')] as Parameter) : each;
  return { requestBody, parameters: parameters.map(inPlace) };
};
const presence = (profile?: string) => hook(profile).parameters.map(({ name, required }) => [name, required]);

test('each profile has its own headers; one with an end may be absent, and says when', () => {
  expect(presence()).toEqual([
    ['X-WEBHOOK-SIGNATURE', false],
    ['webhook-id', true],
    ['webhook-timestamp', true],
    ['webhook-signature', true],
    ['User-Agent', false],
  ]);
  expect(hook().parameters[0]).toMatchObject({
    description: expect.stringContaining('in lower-case hex. Until 2027-03-01.'),
    schema: { pattern: '^[0-9a-f]{40}$' },
  });
  expect(presence('acme')).toEqual([
    ['Acme-Signature', true],
    ['User-Agent', false],
    ['x-acme-event', true],
    ['x-acme', true],
    ['webhook-id', false],
    ['webhook-timestamp', false],
    ['webhook-signature', false],
  ]);
});

test('the body of an example and its signature are those of the profile', () => {
  const { parameters, requestBody } = hook('acme');
  const { schema, example } = requestBody.content['application/json'];
  expect(example).toEqual({
    uid: '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f',
    at: 1_798_761_600,
    object: { id: expect.any(String), amount: expect.any(Number) },
  });
  expect(schema).toEqual({ type: 'object', description: 'As in the example.' });
  const [signature, , event, constant] = parameters;
  const secret = /`(whsec_[^`]+)`/.exec(signature?.description ?? '')?.[1] ?? '';
  const digest = createHmac('sha256', secret)
    .update(`1798761600.${JSON.stringify(example)}`)
    .digest('hex');
  expect(signature?.schema.examples).toEqual([`t=1798761600,v1=${digest}`]);
  expect(signature?.description).toMatch(
    /^HMAC-SHA-256 of the timestamp, `\.`, the exact body, keyed with the webhook secret, in lower-case hex, after `t=/,
  );
  expect(event?.schema.examples).toEqual(['RequestPayment/payed']);
  expect(constant?.schema.examples).toEqual(['v7']);
});

test('a key of the platform itself signs no example', () => {
  const { parameters, requestBody } = hook('keys');
  expect(requestBody.content['application/json']).toMatchObject({
    schema: { properties: { type: { const: 'RequestPayment.payed' }, timestamp: { format: 'date-time' } } },
    example: { type: 'RequestPayment.payed', timestamp: '2027-01-01T00:00:00Z', data: { amount: expect.any(Number) } },
  });
  expect(parameters.map(({ name, schema }) => [name, schema.examples])).toEqual([
    ['webhook-id', undefined],
    ['webhook-timestamp', undefined],
    ['webhook-signature', undefined],
    ['User-Agent', undefined],
  ]);
  expect(parameters[2]?.description).toContain('/.well-known/webhook-keys.json');
});

test('payload schemas are those of the profile', () => {
  expect(kit.payloadSchemas()['RequestPayment.payed']).toMatchObject({
    required: ['timestamp', 'data', 'objectName', 'type'],
  });
  expect(kit.payloadSchemas({ profile: 'keys' })['RequestPayment.payed']).toMatchObject({
    required: ['type', 'timestamp', 'data'],
  });
});

test('a profile that the kit lacks is a TypeError', () => {
  expect(() => kit.openApi({ ...info, profile: 'gone' })).toThrow('openApi: webhooks.profiles has no "gone".');
  expect(() => kit.payloadSchemas({ profile: 'gone' })).toThrow('payloadSchemas: webhooks.profiles has no "gone".');
});

test.each([undefined, 'acme', 'keys'])('the document of the profile %s has no problem by Redocly', async (profile) => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const source = JSON.stringify(kit.openApi({ ...info, ...(profile === undefined ? {} : { profile }) }));
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});
