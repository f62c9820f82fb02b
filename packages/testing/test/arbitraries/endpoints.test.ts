import { signBody, signingKey, standardKey, verifySignature } from '@partnerkit/core';
import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  endpointArbitrary,
  endpointInputArbitrary,
  endpointUpdateArbitrary,
  endpointViewArbitrary,
} from '../../src/arbitraries/endpoints.ts';
import { apiKeyArbitrary, headerNameArbitrary, reservedHeaderNameArbitrary } from '../../src/arbitraries/headers.ts';
import { sealedArbitrary, sealingKeyArbitrary, webhookSecretArbitrary } from '../../src/arbitraries/sealed.ts';
import { nonPublicUrlArbitrary, refusedUrlArbitrary } from '../../src/arbitraries/urls.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs, smallest } from './support.ts';

const url = 'https://partner.example/hooks';
const { kit, endpoint: own } = await scriptedHost({ mostEndpoints: 1_000_000 });
const created = async (input: object) => kit.endpoints.create('acc_own', { url, events: ['payed'], ...input });

test('golden: the smallest endpoint and the smallest input', () => {
  expect(smallest(endpointInputArbitrary())).toEqual({ url: 'https://a.example/', events: ['creation'] });
  expect(smallest(endpointArbitrary({ accountId: 'acc_a' }))).toMatchObject({
    accountId: 'acc_a',
    url: 'https://a.example/',
    events: ['creation'],
    state: 'enabled',
    version: 1,
  });
});

test('an endpoint survives storage', async () => {
  const property = fc.asyncProperty(endpointArbitrary(), async (endpoint) => {
    const { endpoints } = memoryStorage();
    await endpoints.insertEndpoint(endpoint, 1);
    expect(await endpoints.findEndpoint(endpoint.accountId, endpoint.id)).toStrictEqual(endpoint);
  });
  await fc.assert(property, runs);
});

test('core takes what an endpoint holds, and stores it as it is', async () => {
  const property = fc.asyncProperty(endpointArbitrary(), async ({ url, events, label, standardWebhooks, apiKey }) => {
    const header = apiKey?.header;
    const made = await created({
      url,
      events,
      standardWebhooks,
      ...(label === undefined ? {} : { label }),
      ...(header === undefined ? {} : { apiKey: { header, value: 'x' } }),
    });
    const { endpoint } = made._unsafeUnwrap();
    expect(endpoint).toMatchObject({ url, events, standardWebhooks });
    expect([endpoint.label, endpoint.apiKeyHeader]).toEqual([label, header]);
  });
  await fc.assert(property, runs);
});

test('core takes every input, and every update', async () => {
  await fc.assert(
    fc.asyncProperty(endpointInputArbitrary(), async (input) => {
      expect((await created(input)).isOk()).toBe(true);
    }),
    runs,
  );
  await fc.assert(
    fc.asyncProperty(endpointUpdateArbitrary(), async (update) => {
      const { label, ...updated } = (await kit.endpoints.update('acc_own', own.id, update))._unsafeUnwrap();
      if (update.url !== undefined) expect(updated.url).toBe(update.url);
      if (update.label !== undefined) expect(label ?? null).toBe(update.label);
    }),
    runs,
  );
});

test('endpoints are in every state, and in every phase of a rotation', () => {
  const phases = many(endpointArbitrary()).map((endpoint) =>
    [endpoint.state, 'nextSecret' in endpoint, 'activateNextAt' in endpoint].join(' '),
  );
  const expected = ['enabled', 'disabled', 'disabled_by_breaker'].flatMap((state) =>
    ['false false', 'true false', 'true true'].map((phase) => `${state} ${phase}`),
  );
  expect(new Set(phases)).toEqual(new Set(expected));
});

test('a view has what the kit shows of an endpoint, and nothing more', async () => {
  const shown = new Set<string>();
  const { kit: other, storage } = await scriptedHost();
  for (const endpoint of many(endpointArbitrary({ accountId: 'acc_child' })).slice(0, 100)) {
    await storage.endpoints.insertEndpoint(endpoint, 1_000);
    // Its time may have come: then it is not shown.
    const view = (await other.endpoints.find('acc_child', endpoint.id))._unsafeUnwrap();
    for (const field of Object.keys(view)) shown.add(field);
  }
  expect(new Set(many(endpointViewArbitrary()).flatMap((view) => Object.keys(view)))).toEqual(shown);
});

test('what the test fixes stays fixed', () => {
  const fixed = { accountId: 'acc_a', state: 'disabled', events: ['payed'] } as const;
  for (const made of many(endpointArbitrary(fixed))) expect(made).toMatchObject(fixed);
  for (const made of many(endpointViewArbitrary({ rotating: true }))) expect(made.rotating).toBe(true);
  for (const made of many(endpointInputArbitrary({ label: 'prod' }))) expect(made.label).toBe('prod');
});

describe('core refuses', () => {
  const detailOf = async (input: object) => {
    const error = (await created(input))._unsafeUnwrapErr();
    return error.code === 'invalid_input' ? error.detail : error.code;
  };
  test('every refused URL, and says why', async () => {
    const reasons = new Set<string>();
    const property = fc.asyncProperty(refusedUrlArbitrary(), async (refused) => {
      const detail = await detailOf({ url: refused });
      expect(detail).toMatch(/^url: /);
      reasons.add(detail);
    });
    await fc.assert(property, runs);
    expect([...reasons].toSorted()).toEqual([
      'url: at most 2048 characters, percent-encoded.',
      'url: must be HTTPS.',
      'url: must hold no fragment; it would never be sent.',
      'url: must hold no user name or password; use the API-key header.',
      'url: not a URL.',
    ]);
  });

  test('every reserved header name', async () => {
    const property = fc.asyncProperty(reservedHeaderNameArbitrary(), async (header) => {
      expect(await detailOf({ apiKey: { header, value: 'x' } })).toBe('apiKey.header: this header name is reserved.');
    });
    await fc.assert(property, runs);
  });
});

test('core takes a URL of an address that is not public: a sender refuses it', async () => {
  const property = fc.asyncProperty(nonPublicUrlArbitrary(), async (destination) => {
    expect((await created({ url: destination })).isOk()).toBe(true);
  });
  await fc.assert(property, runs);
});

test('core takes every API key, and every free header name', async () => {
  const headers = fc.oneof(
    apiKeyArbitrary(),
    headerNameArbitrary().map((header) => ({ header, value: 'x' })),
  );
  await fc.assert(
    fc.asyncProperty(headers, async (apiKey) => {
      expect((await created({ apiKey })).isOk()).toBe(true);
    }),
    runs,
  );
});

test('what core seals with any key opens: it is delivered, signed with the endpoint’s secret', async () => {
  const property = fc.asyncProperty(sealingKeyArbitrary(), async (key) => {
    const { publish, deliver, partner } = await scriptedHost({ sealingKeys: [key] });
    await publish();
    await deliver();
    expect(partner.posts.map(({ signature }) => signature)).toEqual(['good']);
  });
  await fc.assert(property, { ...runs, numRuns: 200 });
});

test('sealed texts have the form of core’s own', async () => {
  const { storage, endpoint } = await scriptedHost();
  const form = /^v1\.[\w-]{1,32}\.[A-Za-z0-9+/]{16}\.[A-Za-z0-9+/]+={0,2}$/;
  expect((await storage.endpoints.findEndpoint('acc_own', endpoint.id))?.secret).toMatch(form);
  for (const sealed of many(sealedArbitrary())) expect(sealed).toMatch(form);
});

test('webhook secrets serve both kinds of signature', () => {
  const property = fc.property(webhookSecretArbitrary(), fc.string(), (secret, body) => {
    standardKey(secret);
    expect(verifySignature(body, signBody(signingKey(secret), body), [signingKey(secret)]).isOk()).toBe(true);
  });
  fc.assert(property, runs);
});
