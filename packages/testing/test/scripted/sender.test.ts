import { day } from '@partnerkit/core';
import type { DeliveryRequest, Sender } from '@partnerkit/core/adapter';
import { signBody, signingKey } from '@partnerkit/core/wire';
import { expect, test } from 'vitest';
import type { PartnerAct } from '../../src/scripted/script.ts';
import { scriptedSender } from '../../src/scripted/sender.ts';

const url = 'https://partner.example/webhooks';
const post = (change: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  url,
  headers: {},
  body: '{}',
  deadline: 15_000,
  ...change,
});
/** What became of so many POSTs, one after the other. */
const ends = async (sender: Sender, count: number): Promise<readonly (number | string)[]> => {
  const outcomes = [];
  for (let index = 0; index < count; index++) outcomes.push(await sender.send(post()));
  return outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.status : outcome.reason));
};

test('each POST takes the next step of its own partner’s script, then what is done otherwise', async () => {
  const sender = scriptedSender();
  const partner = sender.at(url);
  partner.script(500, 'cut', 'silence', { fails: 'connect' });
  partner.script({ status: 302, headers: { location: 'https://elsewhere.example/' } });
  sender.at('https://other.example/').script(418);
  expect(await ends(sender, 6)).toEqual([500, 'reset', 'timeout', 'connect', 302, 200]);
  partner.otherwise(410);
  expect(await ends(sender, 2)).toEqual([410, 410]);
  expect(await sender.send(post({ url: 'https://other.example' }))).toMatchObject({ status: 418 });
});

test('an answer is told with its body and Retry-After; silence takes as long as the deadline', async () => {
  const sender = scriptedSender();
  sender.at(url).script({ status: 503, headers: { 'retry-after': '120' }, body: 'later' }, 'silence');
  expect(await sender.send(post())).toEqual({
    kind: 'answered',
    status: 503,
    body: 'later',
    retryAfter: '120',
    durationMs: 0,
  });
  expect(await sender.send(post({ deadline: day }))).toEqual({ kind: 'failed', reason: 'timeout', durationMs: day });
});

test('a step may wait until the test lets it go, and decide by what it was sent', async () => {
  const sender = scriptedSender();
  const partner = sender.at(url);
  const told = Promise.withResolvers<PartnerAct>();
  partner.script(
    () => told.promise,
    ({ body, path }) => ({ status: 200, body: `${path} ${body}` }),
  );
  const held = sender.send(post());
  expect(await sender.send(post({ body: 'é' }))).toMatchObject({ body: '/webhooks é' });
  told.resolve(201);
  expect(await held).toMatchObject({ status: 201 });
});

test('a partner remembers what arrived; the sender also what did not', async () => {
  const sender = scriptedSender();
  const partner = sender.at(url);
  partner.script({ fails: 'dns' }, 'cut');
  const body = '{"timestamp":1,"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}';
  for (const sent of [body, body, 'x']) await sender.send(post({ body: sent, headers: { 'x-token': 't' } }));
  expect(sender.sent.map((sent) => sent.body)).toEqual([body, body, 'x']);
  const common = { method: 'POST', path: '/webhooks', headers: { 'x-token': 't' }, signature: 'unchecked' };
  expect(partner.posts).toEqual([
    { ...common, body, envelope: JSON.parse(body) },
    { ...common, body: 'x', envelope: undefined },
  ]);
});

test('a partner that trusts secrets refuses what fits none of them with 401, and says how it judged', async () => {
  const sender = scriptedSender();
  const partner = sender.at(url);
  partner.trust('old', 'new');
  const signed = (secret: string) => post({ headers: { 'x-webhook-signature': signBody(signingKey(secret), '{}') } });
  const outcomes = [];
  for (const each of [signed('old'), signed('new'), signed('other'), post()]) outcomes.push(await sender.send(each));
  expect(outcomes.map((outcome) => outcome.kind === 'answered' && outcome.status)).toEqual([200, 200, 401, 401]);
  expect(partner.posts.map(({ signature }) => signature)).toEqual([
    'good',
    'good',
    'wrong_signature',
    'missing_signature',
  ]);
  partner.trust();
  expect(await ends(sender, 1)).toEqual([200]);
});

test('what arrives can be waited for', async () => {
  const sender = scriptedSender();
  const partner = sender.at(url);
  const seen: string[] = [];
  const waiting = [
    partner.arrived(2).then((posts) => seen.push(`two: ${posts.length}`)),
    partner.arrived(1).then((posts) => seen.push(`one: ${posts.length}`)),
  ];
  await sender.send(post());
  await sender.send(post());
  await Promise.all(waiting);
  expect(seen).toEqual(['one: 1', 'two: 2']);
  expect(await partner.arrived(2)).toHaveLength(2);
});
