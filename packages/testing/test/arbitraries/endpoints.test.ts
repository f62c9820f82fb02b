import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpointArbitrary } from '../../src/arbitraries/endpoints.ts';
import { reservedHeaderNameArbitrary } from '../../src/arbitraries/headers.ts';
import { refusedUrlArbitrary } from '../../src/arbitraries/urls.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs } from './support.ts';

const url = 'https://partner.example/hooks';
const { kit } = await scriptedHost({ maxEndpoints: 1_000_000 });
const created = async (input: object) => kit.endpoints.create('acc_own', { url, events: ['payed'], ...input });

test('an endpoint survives storage', async () => {
  const property = fc.asyncProperty(endpointArbitrary(), async (endpoint) => {
    const { endpoints } = memoryStorage();
    await endpoints.insertEndpoint(endpoint, 1);
    expect(await endpoints.findEndpoint(endpoint.accountId, endpoint.id)).toStrictEqual(endpoint);
  });
  await fc.assert(property, runs);
});

test('core accepts the fields of an endpoint, and stores them as they are', async () => {
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

test('endpoints are in every state, and in every phase of a rotation', () => {
  const phases = many(endpointArbitrary()).map((endpoint) =>
    [endpoint.state, 'nextSecret' in endpoint, 'activateNextAt' in endpoint].join(' '),
  );
  const expected = ['enabled', 'disabled', 'disabled_by_breaker'].flatMap((state) =>
    ['false false', 'true false', 'true true'].map((phase) => `${state} ${phase}`),
  );
  expect(new Set(phases)).toEqual(new Set(expected));
});

describe('core refuses', () => {
  const detailOf = async (input: object) => {
    const error = (await created(input))._unsafeUnwrapErr();
    return error.code === 'invalid_input' ? error.message : error.code;
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
