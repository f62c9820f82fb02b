import { expect, test } from 'vitest';
import { grantOf, loginPath, memoryKit, mePath, own, startHost } from './support/host.ts';
import { ask } from './support/wire.ts';

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
