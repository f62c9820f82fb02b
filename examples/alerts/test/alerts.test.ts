import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createTransport } from 'nodemailer';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { chatHandler } from '../chat.ts';
import { mailHandler } from '../mail.ts';
import { startSmtpServer } from './support/smtp-server.ts';

const link = 'https://app.example.com/partner-portal';
/** Events of one turn of a worker are one group. */
const waitMs = 500;
const accounts = ['acc_a', 'acc_b'];

const createKit = () =>
  createPartnerkit({
    accounts: memoryAccounts(accounts.map((id) => ({ id, name: id, status: 'active', environment: 'prod' }))),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
    objects: [defineObject('Booking', { schema: z.object({ id: z.string() }), groups: {}, events: { made: [] } })],
  });

test('a mail in the language of the partner tells of all keys that were added together', async () => {
  const server = await startSmtpServer();
  onTestFinished(server.stop);
  const transport = createTransport({ host: '127.0.0.1', port: server.port, ignoreTLS: true });
  const kit = createKit();
  (await kit.alerts.setAddress('acc_a', 'desk@partner.example'))._unsafeUnwrap();
  const languageOf = async () => 'fr';
  const mail = mailHandler({
    transport,
    from: 'alerts@platform.example',
    link,
    alerts: kit.alerts,
    languageOf,
    waitMs,
  });
  const worker = kit.worker({ handlers: { mail } });
  await worker.drain();
  for (let nth = 0; nth < 50; nth++) (await kit.clients.create('acc_a', { name: `Till ${nth}` }))._unsafeUnwrap();
  (await kit.clients.create('acc_b', { name: 'Nobody reads this' }))._unsafeUnwrap();
  (await kit.sending.pause({}))._unsafeUnwrap();
  await worker.drain();
  expect(server.mails).toHaveLength(1);
  const [sent = ''] = server.mails;
  expect(sent).toContain('To: desk@partner.example');
  expect(sent).toMatch(/^Subject: =\?UTF-8\?Q\?50_cl=C3=A9s_d=E2=80=99API_ont_/m);
  expect(sent).toContain('et 40 de plus');
  expect(sent).toContain(`${link}#/keys`);
});

test('a new address gets the mails from then on, the first of which tells of the change', async () => {
  const server = await startSmtpServer();
  onTestFinished(server.stop);
  const transport = createTransport({ host: '127.0.0.1', port: server.port, ignoreTLS: true });
  const kit = createKit();
  const languageOf = async () => 'en';
  const mail = mailHandler({
    transport,
    from: 'alerts@platform.example',
    link,
    alerts: kit.alerts,
    languageOf,
    waitMs,
  });
  const worker = kit.worker({ handlers: { mail } });
  await worker.drain();
  (await kit.alerts.setAddress('acc_a', 'new@partner.example'))._unsafeUnwrap();
  await worker.drain();
  (await kit.alerts.setAddress('acc_a', ''))._unsafeUnwrap();
  await worker.drain();
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toContain('To: new@partner.example');
  expect(server.mails[0]).toContain('Subject: The address for alerts was changed.');
});

test('a chat gets a message without markup of partners; one that failed is posted again', async () => {
  const posts: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    posts.push(JSON.parse(body).text);
    response.writeHead(posts.length === 1 ? 500 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { handle } = chatHandler({ url: `http://127.0.0.1:${port}/secret`, link, waitMs: 1 });
  const event = { accountId: 'acc_a', type: 'key.added', data: { id: '<!channel> & co' } };
  await expect(handle(event)).rejects.toThrow(/^The chat answered 500\.$/);
  await handle(event);
  const advice = 'If nobody of yours did this, disable it.';
  expect(posts).toEqual(
    Array(2).fill(`acc_a\nThe API key &lt;!channel&gt; &amp; co was added.\n${advice}\n${link}#/keys`),
  );
  await handle({ accountId: '', type: 'endpoint.changed', data: { id: 'e' } });
  expect(posts).toHaveLength(2);
});
