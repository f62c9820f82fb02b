import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import express from 'express';
import { expect, test } from 'vitest';
import { forwarded } from '../../conformance/test/http-suite/forwarded.ts';
import { expressRouter } from '../src/index.ts';
import { basePath, listen, login, own, send } from './host.ts';

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
