import { describe, expect, test } from 'vitest';
import { err } from '#result';
import type { Sealed } from '../../../src/base/crypto/seal.ts';
import {
  activateSecret,
  atTime,
  cancelSecret,
  prepareSecret,
  setState,
  update,
} from '../../../src/webhooks/endpoints/changes.ts';
import type { Endpoint } from '../../../src/webhooks/endpoints/endpoint.ts';

const sealed = (text: string) => text as Sealed;
const endpoint = (change: Partial<Endpoint> = {}): Endpoint => ({
  id: 'e',
  accountId: 'a',
  kind: 'push',
  url: 'https://partner.example/hooks',
  events: ['payed'],
  state: 'enabled',
  standardWebhooks: false,
  includeChildren: false,
  createdAt: 0,
  secret: sealed('old'),
  version: 1,
  ...change,
});
const prepared = endpoint({ nextSecret: sealed('next') });
const planned = endpoint({ nextSecret: sealed('next'), activateNextAt: 100 });
const switched = endpoint({ secret: sealed('next') });

describe('atTime', () => {
  test('the next secret is the secret from activateNextAt on', () => {
    expect(atTime(planned, 99)).toEqual(planned);
    expect(atTime(planned, 100)).toEqual(switched);
    expect(atTime(planned, 101)).toEqual(switched);
  });

  test('a next secret without a time is never the secret', () => {
    expect(atTime(prepared, Number.MAX_SAFE_INTEGER)).toEqual(prepared);
    expect(atTime(endpoint(), 100)).toEqual(endpoint());
  });
});

describe('prepareSecret', () => {
  const prepare = prepareSecret(sealed('newer'), 50);
  test.each([
    ['nothing', endpoint(), endpoint({ nextSecret: sealed('newer') })],
    ['another', prepared, endpoint({ nextSecret: sealed('newer') })],
    ['another that had a time: the time is gone with it', planned, endpoint({ nextSecret: sealed('newer') })],
    [
      'another whose time had come: it is the secret now',
      endpoint({ nextSecret: sealed('next'), activateNextAt: 50 }),
      endpoint({ secret: sealed('next'), nextSecret: sealed('newer') }),
    ],
  ])('replaces %s', (_name, before, after) => {
    expect(prepare(before)._unsafeUnwrap()).toEqual(after);
  });
});

describe('activateSecret', () => {
  test.each([
    ['now', prepared, 50, switched],
    ['in the past', prepared, 1, switched],
    ['later', prepared, 100, planned],
    ['earlier than planned', planned, 70, endpoint({ nextSecret: sealed('next'), activateNextAt: 70 })],
    ['at once, though planned for later', planned, 50, switched],
  ])('%s', (_name, before, at, after) => {
    expect(activateSecret(at, 50)(before)._unsafeUnwrap()).toEqual(after);
  });

  test('no_next_secret without a next secret, or when it is already active', () => {
    expect(activateSecret(50, 50)(endpoint())).toMatchObject(err({ code: 'no_next_secret' }));
    expect(activateSecret(200, 100)(planned)).toMatchObject(err({ code: 'no_next_secret' }));
  });
});

describe('cancelSecret', () => {
  test('removes the next secret and its time', () => {
    expect(cancelSecret(50)(prepared)._unsafeUnwrap()).toEqual(endpoint());
    expect(cancelSecret(99)(planned)._unsafeUnwrap()).toEqual(endpoint());
  });

  test('no_next_secret without a next secret, or when it already signs', () => {
    expect(cancelSecret(50)(endpoint())).toMatchObject(err({ code: 'no_next_secret' }));
    expect(cancelSecret(100)(planned)).toMatchObject(err({ code: 'no_next_secret' }));
  });
});

test('setState names the host that disables an enabled endpoint, until it is enabled', () => {
  const enabled: Endpoint = { ...planned, state: 'enabled' };
  const [ofHost, ofPartner] = [
    { ...planned, state: 'disabled', disabledBy: 'host' },
    { ...planned, state: 'disabled' },
  ] as const;
  expect(setState('disabled', 'host')(enabled)._unsafeUnwrap()).toEqual(ofHost);
  expect(setState('disabled', 'partner')(enabled)._unsafeUnwrap()).toEqual(ofPartner);
  expect(setState('disabled', 'partner')(ofHost)._unsafeUnwrap()).toEqual(ofHost);
  expect(setState('disabled', 'host')(ofPartner)._unsafeUnwrap()).toEqual(ofPartner);
  expect(setState('enabled')(ofHost)._unsafeUnwrap()).toEqual(enabled);
});

test('setState changes nothing else', () => {
  expect(setState('disabled')(planned)._unsafeUnwrap()).toEqual({ ...planned, state: 'disabled' });
});

describe('update', () => {
  const full = endpoint({
    label: 'prod',
    deliveryHeader: { name: 'X-API-Key', value: sealed('value') },
    nextSecret: sealed('next'),
  });
  test.each([
    ['nothing', {}, full],
    [
      'undefined everywhere',
      {
        url: undefined,
        events: undefined,
        standardWebhooks: undefined,
        includeChildren: undefined,
        label: undefined,
        deliveryHeader: undefined,
      },
      full,
    ],
    ['the URL', { url: `${full.url}/moved` }, { ...full, url: `${full.url}/moved` }],
    ['the events', { events: ['cancel'] as const }, { ...full, events: ['cancel'] }],
    ['Standard Webhooks', { standardWebhooks: true }, { ...full, standardWebhooks: true }],
    ['the events of children', { includeChildren: true }, { ...full, includeChildren: true }],
    ['the label', { label: 'dev' }, { ...full, label: 'dev' }],
    [
      'the API key',
      { deliveryHeader: () => ({ name: 'Authorization', value: sealed('v') }) },
      { ...full, deliveryHeader: { name: 'Authorization', value: 'v' } },
    ],
    [
      'no label any more',
      { label: null },
      endpoint({ deliveryHeader: { name: 'X-API-Key', value: sealed('value') }, nextSecret: sealed('next') }),
    ],
    ['no API key any more', { deliveryHeader: null }, endpoint({ label: 'prod', nextSecret: sealed('next') })],
  ])('%s', (_name, change, after) => {
    expect(update(change)(full)._unsafeUnwrap()).toStrictEqual(after);
  });
});
