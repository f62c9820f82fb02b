import { expect, test } from 'vitest';
import { forwarded } from '../../conformance/test/http-suite/forwarded.ts';
import { grantOf, loginPath, memoryKit, mePath, own, startHost } from './support/host.ts';
import { ask } from './support/wire.ts';

test('behind one proxy, the address of a caller is what that proxy wrote: at login and at each request', async () => {
  const kit = memoryKit({ api: { trustRemoteAddress: true } });
  const made = await kit.clients.create(own.id, { name: 'key', networks: ['203.0.113.0/24'] });
  const { client, secret } = made._unsafeUnwrap();
  const host = await startHost({ kit, server: { trustProxy: '127.0.0.1' }, clientAddress: ({ ip }) => ip });
  const logIn = (headers: Readonly<Record<string, string>>) =>
    ask(host, loginPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(grantOf({ client_id: client.id, client_secret: secret })),
    });
  const { access_token } = JSON.parse((await logIn({ 'x-forwarded-for': '203.0.113.7' })).body);
  for (const [header, isIn] of forwarded) {
    const headers: Readonly<Record<string, string>> =
      header === undefined ? { forwarded: 'for=203.0.113.7' } : { 'x-forwarded-for': header };
    const authorization = `Bearer ${access_token}`;
    const asked = await ask(host, mePath(own.id), { headers: { authorization, ...headers } });
    expect([header, (await logIn(headers)).status, asked.status]).toEqual([header, isIn ? 200 : 401, isIn ? 200 : 403]);
  }
});
