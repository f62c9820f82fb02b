import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPartnerClient, fillPath, type PartnerClientOptions } from '../src/index.ts';
import { organisationId, payment, platform } from './support/platform.ts';

const me = '/api/v1/partner/organisations/{organisationId}/me';
const params = { path: { organisationId } };

/** A platform on a real socket, that answers as `answer` does after a login. */
const listening = async (answer: RequestListener, options: Partial<PartnerClientOptions> = {}) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/login'))
      response.end(JSON.stringify({ access_token: 't', token_type: 'Bearer', expires_in: 3600 }));
    else {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = { now: () => Date.now(), sleep: async () => undefined };
  return { asked, client: createPartnerClient({ baseUrl, clientId: 'c', clientSecret: 's', clock, ...options }) };
};

describe('the option fetch', () => {
  test('takes the fetch of another copy of undici, with its options', async () => {
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    const bodies: string[] = [];
    const { client, asked } = await listening(
      async (request, response) => {
        bodies.push(Buffer.concat(await request.toArray()).toString());
        response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' }).end('{"id":"org_main"}');
      },
      { fetch: (url, request) => undiciFetch(url, { ...request, dispatcher }) },
    );
    const { data, response } = await client.GET(me, { params });
    expect([data?.id, response.headers.get('etag')]).toEqual([organisationId, '"1"']);
    await client.POST('/api/v1/partner/organisations/{organisationId}/payment-requests', { params, body: payment });
    expect(asked).toHaveLength(2);
    expect(JSON.parse(bodies[1] ?? '')).toEqual(payment);
  });

  test('gets an address and plain members', async () => {
    const seen: unknown[] = [];
    const { client } = await platform({
      fetch: async (url, { signal, body, ...request }) => {
        seen.push([url, request, body && new TextDecoder().decode(body), signal.aborted]);
        return Response.json({ access_token: 't', expires_in: 60, id: organisationId });
      },
    });
    await client.GET(me, { params });
    expect(seen[1]).toEqual([
      `https://api.platform.example/api/v1/partner/organisations/${organisationId}/me`,
      { method: 'GET', headers: { authorization: 'Bearer t' }, redirect: 'manual' },
      undefined,
      false,
    ]);
  });
});

describe('an answer', () => {
  const headers = { 'content-type': 'application/json' };
  const never = new Promise<never>(() => undefined);
  test.each([
    ['that never begins', () => never],
    ['that never ends', async () => new Response(new ReadableStream({ pull: () => never }))],
  ])('%s is given up after the time-out, though fetch ignores its signal, and asked for again', async (_name, hang) => {
    const asked: AbortSignal[] = [];
    const { client } = await platform({
      timeout: 20,
      maxAttempts: 2,
      // The login needs no timer, so that it is never late.
      fetch: async (url, { signal }) => {
        if (url.endsWith('/login')) return Response.json({ access_token: 't', expires_in: 60 });
        asked.push(signal);
        return hang();
      },
    });
    await expect(client.GET(me, { params })).rejects.toMatchObject({
      name: 'TimeoutError',
      message: expect.stringMatching(/me: no whole answer within 20 ms\.$/),
    });
    expect(asked.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('of more bytes than the limit is refused, read no further, and not asked for again', async () => {
    let written = 0;
    const { client, asked } = await listening(
      async (_request, response) => {
        response.writeHead(200, headers);
        response.on('error', () => undefined);
        for (; !response.destroyed && written < 2_000; written += 1)
          if (!response.write('x'.repeat(65_536)))
            await Promise.race([once(response, 'drain'), once(response, 'close')]);
        response.end();
      },
      { maxResponseBytes: 100_000 },
    );
    await expect(client.GET(me, { params })).rejects.toThrow(
      /answered more than 100000 bytes: ask for smaller pages, or raise maxResponseBytes\.$/,
    );
    expect(asked).toHaveLength(1);
    expect(written).toBeLessThan(2_000);
  });

  test('of as many bytes as the limit is read', async () => {
    const body = JSON.stringify({ id: organisationId });
    const most = { maxResponseBytes: Math.max(body.length, 60) };
    const { client } = await listening(
      (_request, response) => response.writeHead(200, headers).end(body.padEnd(60)),
      most,
    );
    expect((await client.GET(me, { params })).data?.id).toBe(organisationId);
  });

  test('is no longer waited for when the caller gives up', async () => {
    const { client } = await listening(() => undefined);
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(client.GET(me, { params, signal })).rejects.toThrow('too late');
  });
});

test.each([
  ['timeout', 0],
  ['timeout', Number.POSITIVE_INFINITY],
  ['maxResponseBytes', 1.5],
])('the option %s is not %d', (name, value) => {
  const options = { baseUrl: 'https://api.platform.example', clientId: 'c', clientSecret: 's', [name]: value };
  expect(() => createPartnerClient(options)).toThrow(`createPartnerClient: ${name} must be a positive integer.`);
});

describe('ids in paths', () => {
  const cancel = '/api/v1/partner/organisations/{organisationId}/security-deposits/{depositId}/cash-outs/{id}/cancel';

  test.each(['', '.', '..', undefined, {}])('%o is refused before anything is sent', async (id) => {
    const { client, sent } = await platform();
    const path = { organisationId, depositId: 'd', id: id as string };
    await expect(client.POST(cancel, { params: { path } })).rejects.toThrow(`${cancel}: id is no id.`);
    expect(sent).toEqual([]);
  });

  test('any other id stays one segment', async () => {
    const { client, sent } = await platform();
    await client.POST(cancel, { params: { path: { organisationId, depositId: 'a/../b', id: '%2e%2e' } } });
    const asked = sent.map(({ url }) => new URL(url).pathname).at(-1);
    expect(asked).toBe(
      `/api/v1/partner/organisations/${organisationId}/security-deposits/a%2F..%2Fb/cash-outs/%252e%252e/cancel`,
    );
  });

  test('fillPath fills the paths of a document', () => {
    expect(fillPath('/a/{one}/b/{two}', { one: 'x y', two: 7 })).toBe('/a/x%20y/b/7');
    expect(fillPath('/a')).toBe('/a');
    expect(() => fillPath('/a/{one}', { two: 'x' })).toThrow('/a/{one}: one is no id.');
  });
});
