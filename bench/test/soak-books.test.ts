import type { ExportLine } from '@partnerkit/core';
import { expect, test } from 'vitest';
import { balance, type Evidence } from '../soak/books.ts';
import type { Arrival } from '../soak/partners.ts';
import { secretFinder } from '../soak/secrets.ts';

const event = (accountId: string, id: string, objectId: string, nth: number, timestamp: number): ExportLine => ({
  kind: 'event',
  event: {
    ...{ accountId, id, objectId, timestamp, objectName: 'RequestPayment', type: 'payed', bodyTail: '' },
    body: JSON.stringify({ timestamp, objectName: 'RequestPayment', type: 'payed', data: { id: objectId, nth } }),
  } as never,
});
const delivery = (id: string, eventId: string, endpointId: string, state: string): ExportLine => ({
  ...{ kind: 'delivery', accountId: 'a', attempts: [] },
  delivery: { id, eventId, endpointId, state, attempts: 1 } as never,
});
const arrival = (confirmed: number, posts = confirmed): Arrival => ({
  ...{ posts, confirmed, digest: '', objectId: '', nth: 0, timestamp: 0 },
});
const endpoint = (accountId: string, id: string, path: string, manner: 'steady' | 'failing') => ({
  ...{ accountId, id, path, manner },
});

/** Two payments of one object, one of a child of the parent; one delivery is exhausted, one was confirmed twice. */
const sound: Evidence = {
  ledger: { confirmed: ['a/1 1', 'a/1 2'], rolledBack: new Set(['a/1 3']) },
  payments: [
    { objectId: 'a/1', nth: 1 },
    { objectId: 'a/1', nth: 2 },
    { objectId: 'c/1', nth: 1 },
  ],
  lines: [
    event('a', 'e1', 'a/1', 1, 10),
    event('a', 'e2', 'a/1', 2, 11),
    event('c', 'e3', 'c/1', 1, 10),
    event('p', 'e4', 'c/1', 1, 10),
    ...[delivery('d1', 'e1', 's', 'delivered'), delivery('d2', 'e2', 's', 'delivered')],
    ...[delivery('d3', 'e1', 'f', 'exhausted'), delivery('d4', 'e2', 'f', 'expired')],
  ],
  endpoints: [endpoint('a', 's', '/a/steady', 'steady'), endpoint('a', 'f', '/a/other', 'failing')],
  arrivals: new Map([
    ['/a/steady e1_s', arrival(1)],
    ['/a/steady e2_s', arrival(2)],
    ['/a/other e1_f', arrival(0, 10)],
  ]),
  ...{ parent: 'p', children: ['c'] },
};
const without = (...gone: readonly number[]): Partial<Evidence> => ({
  lines: sound.lines.filter((_, index) => !gone.includes(index)),
});
const withMore = (...more: readonly ExportLine[]): Partial<Evidence> => ({ lines: [...sound.lines, ...more] });

test('books that balance', () => {
  expect(balance(sound)).toEqual({
    books: {
      ...{ payments: 3, confirmed: 2, events: 3, copies: 1, deliveries: 4 },
      ...{ delivered: 2, exhausted: 1, expired: 1, attempts: 13, duplicates: 1 },
    },
    broken: [],
  });
});

test.each<[law: string, change: Partial<Evidence>]>([
  ['each payment has its event', { payments: [...sound.payments, { objectId: 'a/2', nth: 1 }] }],
  ['each event has its payment', withMore(event('b', 'e9', 'b/1', 1, 12))],
  ['each event has its payment', withMore(event('b', 'e9', 'c/1', 1, 12))],
  ['what was answered with success is stored', { ledger: { ...sound.ledger, confirmed: ['a/1 4'] } }],
  ['what was rolled back is not stored', { ledger: { ...sound.ledger, rolledBack: new Set(['c/1 1']) } }],
  ['the parent has one copy of each event of its children', without(3)],
  ['the parent has one copy of each event of its children', withMore(event('p', 'e9', 'c/1', 1, 12))],
  ['each event has one delivery to each endpoint that was always there', without(6)],
  ['no delivery is made twice', withMore(delivery('d9', 'e1', 'f', 'exhausted'))],
  ['each delivery is delivered, exhausted or expired', withMore(delivery('d9', 'e3', 'f', 'held'))],
  ['what is delivered was confirmed by its receiver', { arrivals: new Map([['/a/steady e1_s', arrival(1)]]) }],
  ['what is delivered was confirmed by its receiver', withMore(delivery('d9', 'e1', 'gone', 'delivered'))],
])('%s', (law, change) => {
  const { broken } = balance({ ...sound, ...change });
  expect(broken).toHaveLength(1);
  expect(broken[0]).toContain(`${law}: 1 do not`);
});

test('the timestamps of an object increase with its events', () => {
  const lines = [...sound.lines];
  lines[1] = event('a', 'e2', 'a/1', 2, 10);
  expect(balance({ ...sound, lines }).broken).toEqual([
    'the timestamps of an object increase with its events: 1 do not, such as a/1',
  ]);
  // A payment without an answer may have been committed at any time.
  expect(balance({ ...sound, lines, ledger: { ...sound.ledger, confirmed: ['a/1 1'] } }).broken).toEqual([]);
});

test.each([
  ['as text', (secret: string) => secret],
  ['in hex', (secret: string) => Buffer.from(secret).toString('hex')],
  ['in Base64', (secret: string) => Buffer.from(`${secret}\n`).toString('base64')],
])('a secret is found %s', (_, form) => {
  const secret = 'whsec_b7Kq2ZxY9vTn4LsW8pRdE3mJ6hGfA1cU';
  const finder = secretFinder([secret]);
  expect(finder.isIn(`{"key":"${form(secret)}"}`)).toBe(true);
  expect(finder.isIn(`{"key":"${form('whsec_b7Kq2ZxY9vTn4LsW8pRdE3mJ6hXfA1cU')}"}`)).toBe(false);
});
