import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call, login, loginPath } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

/** Secrets of old systems, as partners send them. */
const secrets = {
  'letters only': 'abcdefghijklmnopqrstuvwx',
  'Base64 with + / =': 'z/tZ9VwFZqApmIQ+ZH1I5pLk/uB4udX2/8bL+wfFTt1rFw=',
  'a percent sign': 'foo%Qbar-foo%Qbar-foo',
  'what looks encoded': 'foo%41bar-foo%41bar-foo',
  colons: 'foo:bar:foo:bar:foo:bar',
  blanks: 'correct horse battery staple',
  'an umlaut': 'crédit-zürich-secret-1',
  'signs of markup': 'a"b&c<d>e;f\\g-123456789',
  'a blank at its end': 'trailing-space-secret-1 ',
  'CR at its end': 'trailing-cr-secret-12345\r',
  'a byte order mark': '\ufeffbom-secret-1234567890',
} as const;
type Name = keyof typeof secrets;
/** As text, they would be imported as nobody means them. */
const invisible: readonly Name[] = ['a blank at its end', 'CR at its end', 'a byte order mark'];

const rowsOf = {
  text: (secret: string) => ({ text: secret }),
  digest: (secret: string) => ({ sha256: createHash('sha256').update(secret).digest('hex') }),
  legacy: () => ({ legacy: true as const }),
};

const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const rest = 'grant_type=client_credentials&scope=USER';
const basic = (id: string, secret: string) => ({
  ...{ headers: { ...form, authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }, body: rest },
});

/** How old clients send credentials. */
const ways = {
  'Basic, form-encoded': (id: string, secret: string) => basic(formEncoded(id), formEncoded(secret)),
  'Basic, as it is': basic,
  form: (id: string, secret: string) => ({
    ...{ headers: form, body: `${rest}&${new URLSearchParams({ client_id: id, client_secret: secret })}` },
  }),
  JSON: (client_id: string, client_secret: string) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', scope: 'USER', client_id, client_secret }),
  }),
};

describe.each(Object.keys(rowsOf) as (keyof typeof rowsOf)[])('a secret that is brought as %s', (kind) => {
  const world = () =>
    platform({
      imported: {
        clients: true,
        legacySecrets: {
          verify: async (id, secret) => id === 'old client' && Object.values<string>(secrets).includes(secret),
        },
      },
    }).kit;

  test.each(Object.keys(secrets) as Name[])('with %s logs in, however it is sent', async (name) => {
    const kit = world();
    const secret = secrets[name];
    const row = { accountId: 'acc_a', id: 'old client', name: 'x', secrets: [rowsOf[kind](secret)] };
    const [imported] = (await kit.import.clients([row]))._unsafeUnwrap().rows;
    if (kind === 'text' && invisible.includes(name)) {
      expect(imported).toMatchObject({ outcome: 'refused', message: expect.stringContaining('white space') });
      expect(JSON.stringify(imported)).not.toContain(secret.trim());
      return;
    }
    expect(imported?.outcome).toBe('created');
    const statuses = [];
    for (const [way, send] of Object.entries(ways))
      statuses.push([way, (await call(kit, 'POST', loginPath, send('old client', secret))).status]);
    expect(statuses).toEqual(Object.keys(ways).map((way) => [way, 200]));
    for (const send of Object.values(ways))
      expect((await call(kit, 'POST', loginPath, send('old client', `${secret}+`))).status).toBe(401);
  });
});

describe('a secret with + by Basic, as it is', () => {
  const secret = secrets['Base64 with + / ='];
  const world = async (stored: object) => {
    const asked: string[] = [];
    const verify = async (_id: string, text: string) => {
      asked.push(text);
      return text === secret;
    };
    const { kit } = platform({ imported: { clients: true, legacySecrets: { verify } } });
    const row = { accountId: 'acc_a', id: 'old', name: 'x', secrets: [stored] };
    (await kit.import.clients([row as never]))._unsafeUnwrap();
    const statusOf = async (text: string) => (await call(kit, 'POST', loginPath, basic('old', text))).status;
    return { kit, asked, statusOf };
  };

  test('whose digest is known: legacySecrets is not asked, unless it is revoked', async () => {
    const { kit, asked, statusOf } = await world(rowsOf.digest(secret));
    expect([await statusOf(secret), asked]).toEqual([200, []]);
    const [held] = (await kit.clients.find('acc_a', 'old'))._unsafeUnwrap().secrets;
    (await kit.clients.revokeSecret('acc_a', 'old', held?.id ?? ''))._unsafeUnwrap();
    expect([await statusOf(secret), asked]).toEqual([401, [secret.replaceAll('+', ' ')]]);
  });

  test('that legacySecrets alone knows: it is asked for both readings, in turn', async () => {
    const { asked, statusOf } = await world(rowsOf.legacy());
    expect([await statusOf(secret), asked]).toEqual([200, [secret.replaceAll('+', ' '), secret]]);
    expect([await statusOf(`${secret}+`), asked.length]).toEqual([401, 4]);
  });
});

test('a platform without imported clients reads Basic credentials once, as RFC 6749 says', async () => {
  const { kit } = platform();
  const { client, secret } = (await kit.clients.create('acc_a', { name: 'own' }))._unsafeUnwrap();
  for (const send of Object.values(ways))
    expect((await call(kit, 'POST', loginPath, send(client.id, secret))).status).toBe(200);
  expect((await login(kit, { client_id: client.id, client_secret: formEncoded(`${secret} `) })).status).toBe(401);
});
