import { describe, expect, test } from 'vitest';
import { addClient, child, grantOf, logIn, loginPath, memoryKit, mePath, own, startHost } from './support/host.ts';
import { type Address, type Asked, ask } from './support/wire.ts';

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const basic = ({ client_id, client_secret }: { readonly client_id: string; readonly client_secret: string }) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
});
const json = { 'content-type': 'application/json' };
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };

const start = async () => {
  const kit = memoryKit();
  const host = await startHost({ kit });
  return { kit, host, credentials: await addClient(kit) };
};
const post = (host: Address, asked: Asked) => ask(host, loginPath, { method: 'POST', ...asked });

describe('a login', () => {
  test.each([
    ['JSON', (all) => ({ headers: json, body: JSON.stringify(all) })],
    [
      'JSON with a charset',
      (all) => ({ headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify(all) }),
    ],
    ['JSON in chunks of one byte', (all) => ({ headers: json, body: JSON.stringify(all), chunked: 1 })],
    ['a form', (all) => ({ headers: urlencoded, body: form(all) })],
    [
      'a form in capitals',
      (all) => ({ headers: { 'content-type': 'Application/X-WWW-Form-Urlencoded' }, body: form(all) }),
    ],
    [
      'Basic, and a form',
      ({ client_id, client_secret, ...rest }) => ({
        headers: { ...urlencoded, ...basic({ client_id, client_secret }) },
        body: form(rest),
      }),
    ],
    [
      'Basic, and JSON',
      ({ client_id, client_secret, ...rest }) => ({
        headers: { ...json, ...basic({ client_id, client_secret }) },
        body: JSON.stringify(rest),
      }),
    ],
  ] satisfies [string, (all: ReturnType<typeof grantOf>) => Asked][])(
    'by %s gets the token response, and a token that works',
    async (_name, made) => {
      const { host, credentials } = await start();
      const answer = await post(host, made(grantOf(credentials)));
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        pragma: 'no-cache',
        'content-length': String(answer.bytes.length),
      });
      expect(answer.headers).not.toHaveProperty('transfer-encoding');
      const response = JSON.parse(answer.body);
      expect(response).toEqual({ token_type: 'Bearer', expires_in: 2_592_000, access_token: expect.any(String) });
      const me = await ask(host, mePath(own.id), { headers: { authorization: `Bearer ${response.access_token}` } });
      expect(JSON.parse(me.body).id).toBe(own.id);
    },
  );

  test('does not depend on the host’s bodyLimit, nor on the parsers it has', async () => {
    const kit = memoryKit();
    const server = { bodyLimit: 1 };
    const host = await startHost({ kit, server, before: (app) => app.removeAllContentTypeParsers() });
    await logIn(host, await addClient(kit));
  });
});

describe('a login that is refused', () => {
  test('for a wrong secret, an unknown client or another client’s secret: the same bytes', async () => {
    const { kit, host, credentials } = await start();
    const other = await addClient(kit, child.id);
    const unknown = '0195c1a0-0000-7000-8000-000000000001';
    const answers = await Promise.all(
      [
        { ...credentials, client_secret: other.client_secret },
        { ...credentials, client_id: unknown },
        { ...credentials, client_secret: `${credentials.client_secret.slice(0, -1)}!` },
      ].map((wrong) => post(host, { headers: json, body: JSON.stringify(grantOf(wrong)) })),
    );
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(JSON.parse(body).error).toBe('invalid_client');
      expect(headers['www-authenticate']).toBe('Basic realm="partner"');
      expect({ ...headers, date: '' }).toEqual({ ...answers[0]?.headers, date: '' });
      expect(body).toBe(answers[0]?.body);
    }
  });

  test('gets a Basic challenge', async () => {
    const { host, credentials } = await start();
    const wrong = basic({ ...credentials, client_secret: 'wrong' });
    const answer = await post(host, {
      headers: { ...urlencoded, ...wrong },
      body: form({ grant_type: 'client_credentials', scope: 'USER' }),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="partner"');
  });

  test.each([
    ['no scope', { scope: '' }, 400, 'invalid_scope'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no secret', { client_secret: '' }, 400, 'invalid_request'],
  ])('%s', async (_name, changes, status, error) => {
    const { host, credentials } = await start();
    const answer = await post(host, { headers: json, body: JSON.stringify({ ...grantOf(credentials), ...changes }) });
    expect({ status: answer.status, error: JSON.parse(answer.body).error }).toEqual({ status, error });
  });

  test.each([
    ['text/plain', 415],
    ['text/csv', 415],
    ['application/octet-stream', 415],
    ['application/json; charset=latin1', 415],
    ['multipart/form-data; boundary=x', 415],
    // What Fastify itself cannot read comes to us all the same.
    ['json', 415],
    [';;;', 415],
    ['application/', 415],
    ['application/json, application/json', 415],
  ])('content type "%s"', async (type, status) => {
    const { host, credentials } = await start();
    for (const chunked of [undefined, 10]) {
      const answer = await post(host, {
        headers: { 'content-type': type },
        body: JSON.stringify(grantOf(credentials)),
        ...(chunked ? { chunked } : {}),
      });
      expect({ status: answer.status, type: answer.headers['content-type'], ...JSON.parse(answer.body) }).toMatchObject(
        {
          status,
          type: 'application/json',
          error: 'invalid_request',
        },
      );
    }
  });

  test('no content type', async () => {
    const { host, credentials } = await start();
    for (const chunked of [undefined, 10]) {
      const answer = await post(host, { body: JSON.stringify(grantOf(credentials)), ...(chunked ? { chunked } : {}) });
      expect({ status: answer.status, error: JSON.parse(answer.body).error }).toEqual({
        status: 415,
        error: 'invalid_request',
      });
    }
  });

  test.each([
    ['no body', {}],
    ['an empty body', { body: '' }],
    ['broken JSON', { body: '{' }],
    ['bytes that are no text', { body: Uint8Array.of(0x22, 0xff, 0x22) }],
  ])('%s', async (_name, asked) => {
    const { host } = await start();
    const answer = await post(host, { headers: json, ...asked });
    expect({ status: answer.status, error: JSON.parse(answer.body).error }).toEqual({
      status: 400,
      error: 'invalid_request',
    });
  });

  test('a compressed body, unless the host decompresses', async () => {
    const { host, credentials } = await start();
    const answer = await post(host, {
      headers: { ...json, 'content-encoding': 'gzip' },
      body: JSON.stringify(grantOf(credentials)),
    });
    expect(answer.status).toBe(415);
  });
});
