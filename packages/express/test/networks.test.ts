import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import express from 'express';
import { expect, test } from 'vitest';
import { expressRouter } from '../src/index.ts';
import { basePath, listen, login, own, send } from './host.ts';

/** What the last proxy wrote, and whether it is an address of 203.0.113.0/24. A caller writes all before it. */
const forwarded: readonly (readonly [header: string | undefined, isIn: boolean])[] = [
  ['203.0.113.7', true],
  ['198.51.100.1, 203.0.113.7', true],
  ['203.0.113.7, 198.51.100.1', false],
  ['203.0.113.7, 203.0.113.7, 198.51.100.1', false],
  ['203.0.113.7, 10.0.0.1', false],
  ['203.0.113.7:443', true],
  ['::ffff:203.0.113.7', true],
  ['[::ffff:203.0.113.7]:443', true],
  ['2001:db8::7', false],
  ['203.0.113.7%eth0', false],
  ['unknown', false],
  [undefined, false],
];

test('behind one proxy, the address of a caller is what that proxy wrote: at login and at each request', async () => {
  const kit = createPartnerkit({
    accounts: memoryAccounts([own]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] },
    objects: [],
    api: { trustRemoteAddress: true },
  });
  const { client, secret } = (
    await kit.clients.create('org', { name: 'key', networks: ['203.0.113.0/24'] })
  )._unsafeUnwrap();
  const app = express().set('trust proxy', 1);
  app.use(expressRouter(kit.routes, { clientAddress: ({ ip }) => ip }));
  const port = await listen(app);
  const fields = { client_id: client.id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' };
  const ask = (token: string, headers: object) =>
    send(port, 'GET', `${basePath}/organisations/org/me`, { authorization: `Bearer ${token}`, ...headers });
  const granted = await login(port, fields, undefined, { 'x-forwarded-for': '203.0.113.7' });
  const { access_token } = JSON.parse(granted.body);
  for (const [header, isIn] of forwarded) {
    const headers = header === undefined ? { forwarded: 'for=203.0.113.7' } : { 'x-forwarded-for': header };
    const statuses = [
      (await login(port, fields, undefined, headers)).status,
      (await ask(access_token, headers)).status,
    ];
    expect([header, ...statuses]).toEqual([header, isIn ? 200 : 401, isIn ? 200 : 403]);
  }
});
