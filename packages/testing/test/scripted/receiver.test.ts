import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createCertificateAuthority } from '../../src/certificates.ts';
import { assertReceivedOnce, assertSameBytes, assertSigned } from '../../src/scripted/assertions.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { type ScriptedReceiverOptions, startScriptedReceiver } from '../../src/scripted/receiver.ts';
import type { PartnerAct } from '../../src/scripted/script.ts';
import { httpsSender } from '../support/https-sender.ts';

const start = async (options?: ScriptedReceiverOptions) => {
  const receiver = await startScriptedReceiver(options);
  onTestFinished(receiver.close);
  const sender = httpsSender(receiver);
  const post = (change: { readonly body?: string; readonly deadline?: number } = {}) =>
    sender.send({ url: receiver.url, headers: {}, body: '{}', deadline: 5_000, ...change });
  return { receiver, sender, post };
};

test('each POST takes the next step of the script', async () => {
  const { receiver, post } = await start();
  receiver.script(500, 'cut', { status: 503, headers: { 'retry-after': '120' }, body: 'later' });
  expect(await post()).toMatchObject({ kind: 'answered', status: 500 });
  expect(await post()).toMatchObject({ kind: 'failed', reason: 'reset' });
  expect(await post()).toMatchObject({ status: 503, retryAfter: '120', body: 'later' });
  expect(await post()).toMatchObject({ status: 200, body: '' });
});

test('an answer is held back until the test lets it go, and what arrived can be waited for', async () => {
  const { receiver, post } = await start();
  const told = Promise.withResolvers<PartnerAct>();
  receiver.script(() => told.promise);
  const outcome = post({ body: 'held' });
  expect(await receiver.arrived(1)).toMatchObject([{ method: 'POST', path: '/webhooks', body: 'held' }]);
  told.resolve({ status: 202 });
  expect(await outcome).toMatchObject({ status: 202 });
});

test('a body that is endless never ends by itself', async () => {
  const { receiver } = await start();
  receiver.script({ status: 200, body: 'and so on', endless: true }, { status: 200, body: 'all' });
  const ask = async () => {
    const { ca, port } = receiver;
    const sent = request({ host: '127.0.0.1', servername: 'partner.test', ca, port, method: 'POST', agent: false });
    sent.end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    return response as IncomingMessage;
  };
  const endless = await ask();
  expect(await text(await ask())).toBe('all');
  const [beginning]: Buffer[] = await once(endless, 'data');
  expect(beginning?.toString()).toBe('and so on');
  await receiver.close();
  await expect(text(endless)).rejects.toThrow('aborted');
});

test('closing ends what was never answered', async () => {
  const { receiver, post } = await start();
  receiver.script('silence');
  const outcome = post();
  await receiver.arrived(1);
  await receiver.close();
  expect(await outcome).toMatchObject({ kind: 'failed', reason: 'reset' });
});

test('receivers of one authority have names of their own, and are reached by no other', async () => {
  const authority = await createCertificateAuthority();
  const one = await start({ authority, name: 'one.test' });
  const other = await start({ authority, name: 'other.test' });
  expect([one.receiver.ca, other.receiver.ca]).toEqual([authority.certificate, authority.certificate]);
  expect(new URL(one.receiver.url).host).toBe(`one.test:${one.receiver.port}`);
  expect(await one.post()).toMatchObject({ status: 200 });
  await expect(one.receiver.lookup('other.test')).rejects.toThrow('No address of other.test.');
});

test('a scripted host delivers to it over real TLS: signed, retried, the same bytes', async () => {
  const { receiver, sender } = await start();
  receiver.script(503);
  const network = { sender, partner: receiver };
  const { publish, deliverAll, endpoint, partner } = await scriptedHost({ network });
  expect([endpoint.url, partner]).toEqual([receiver.url, receiver]);
  const event = await publish();
  const other = await publish({ type: 'creation' });
  expect(await deliverAll()).toBe(3);
  assertSigned(receiver.posts, endpoint.secret);
  expect(receiver.posts.map(({ signature }) => signature)).toEqual(['good', 'good', 'good']);
  const twice = receiver.posts.filter(({ envelope }) => envelope?.data.id === event.id).length === 2;
  assertSameBytes(receiver.posts, twice ? event : other);
  assertReceivedOnce(receiver.posts, twice ? other : event);
});
