import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { brokenProcessLaws, type ProcessEvidence, processLaws } from '../../src/prove/processes/laws.ts';
import type { SeenPost } from '../../src/prove/processes/receiver.ts';

const secret = 'whsec_c2VjcmV0';
const bodyOf = (n: number, timestamp = 1_000 + n): string =>
  JSON.stringify({ timestamp, objectName: 'RequestPayment', type: 'payed', data: { id: 'a/0', n } });
const post = (body: string, status: number | undefined = 204, path = '/a/steady'): SeenPost => ({
  ...{ path, body, ...(status === undefined ? {} : { status }) },
  headers: { 'x-webhook-signature': createHmac('sha1', secret).update(body).digest('hex') },
});
const event = (n: number) => ({ accountId: 'a', objectId: 'a/0', n });

/** One event was committed, one rolled back; two of one transaction were interrupted, and are stored. */
const sound: ProcessEvidence = {
  endpoints: [{ accountId: 'a', id: 'e', path: '/a/steady', secret }],
  transactions: [
    { end: 'committed', events: [event(1)] },
    { end: 'rolled_back', events: [event(2)] },
    { end: 'open', events: [event(3), event(4)] },
  ],
  posts: [post(bodyOf(1), 500), post(bodyOf(1)), post(bodyOf(3)), post(bodyOf(4))],
  events: ['e1', 'e3', 'e4'].map((id) => ({ id })) as unknown as ProcessEvidence['events'],
  deliveries: [{ id: 'd', state: 'delivered' }] as unknown as ProcessEvidence['deliveries'],
  pulled: [{ accountId: 'a', endpointId: 'p', bodies: [bodyOf(1), bodyOf(3), bodyOf(4)] }],
  effects: ['e1', 'e3', 'e4'],
  calls: ['e1.processor', 'e3.processor', 'e4.processor'],
  killedWorkers: 0,
};

const pulling = (...bodies: readonly string[]): Partial<ProcessEvidence> => ({
  pulled: [{ accountId: 'a', endpointId: 'p', bodies }],
});
const [once, inOrder, oneEffect, called] = [
  'two copies of a program that pulls handle each committed event once',
  'a program that pulls gets the bytes that are sent, and the events of an object in their order',
  'a handler in a transaction has one effect of each stored event, and no other',
  'a handler is called for each stored event with its key, and again only after its worker was killed',
];

test('what is sound breaks no law', () => {
  expect(brokenProcessLaws(sound)).toEqual([]);
});

test.each<[law: string, change: Partial<ProcessEvidence>]>([
  [
    'an event whose transaction committed arrives at each endpoint that selects it',
    { posts: [post(bodyOf(1), 500), post(bodyOf(3)), post(bodyOf(4))] },
  ],
  ['an event whose transaction was rolled back is never sent', { posts: [...sound.posts, post(bodyOf(2))] }],
  [
    'a transaction whose process was killed stores all of its events, or none',
    { posts: sound.posts.filter(({ body }) => body !== bodyOf(4)) },
  ],
  ['every delivery is delivered', { deliveries: [{ id: 'd', state: 'waiting' }] as never }],
  ['all attempts of an event send the same bytes', { posts: [...sound.posts, post(`${bodyOf(1)} `, 500)] }],
  [
    'every attempt is signed with the secret of its endpoint',
    { posts: [...sound.posts, { ...post(bodyOf(1), 500), headers: {} }] },
  ],
  [
    'the timestamps of one object strictly increase, in the order of its events',
    { posts: [post(bodyOf(1)), post(bodyOf(3, 1_001)), post(bodyOf(4))], ...pulling(bodyOf(1), bodyOf(4)) },
  ],
  [once, pulling(bodyOf(3), bodyOf(4))],
  [once, pulling(bodyOf(1), bodyOf(1), bodyOf(3))],
  [inOrder, pulling(bodyOf(3), bodyOf(1), bodyOf(4))],
  [inOrder, pulling(bodyOf(1), bodyOf(3, 1_999))],
  [oneEffect, { effects: ['e1', 'e3'] }],
  [oneEffect, { effects: ['e1', 'e3', 'e4', 'e3'] }],
  [oneEffect, { effects: ['e1', 'e2', 'e3', 'e4'] }],
  [called, { calls: ['e1.processor', 'e3.processor'] }],
  [called, { calls: [...sound.calls, 'e2.processor'] }],
  [called, { calls: [...sound.calls, 'e3.processor'] }],
  ['a confirmed attempt is made again only after its worker was killed', { posts: [...sound.posts, post(bodyOf(4))] }],
])('%s', (law, change) => {
  const broken = brokenProcessLaws({ ...sound, ...change });
  expect(broken).toHaveLength(1);
  expect(broken[0]).toContain(`${law}: `);
});

test('each law has its case', () => {
  expect(Object.keys(processLaws)).toHaveLength(12);
});

test('after a worker was killed, an attempt may be confirmed twice, and no more', () => {
  const again = { ...sound, killedWorkers: 1, posts: [...sound.posts, post(bodyOf(4))] };
  expect(brokenProcessLaws(again)).toEqual([]);
  expect(brokenProcessLaws({ ...again, posts: [...again.posts, post(bodyOf(4))] })).toHaveLength(1);
});
