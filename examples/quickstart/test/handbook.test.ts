import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memorySender } from '@partnerkit/core/memory';
import { expect, test } from 'vitest';
import { run } from '../../../packages/cli/src/run.ts';
import { startHost } from '../host.ts';
import { startManagingHost } from '../managing-host.ts';
import { startOwnObjectsHost } from '../own-objects-host.ts';
import { newFolder } from './support/start.ts';

const accountId = 'org_test';
const pages = ['login', 'accounts', 'operations', 'errors', 'sandbox'];

/** Writes the handbook of a platform that runs; returns its pages. */
const handbookOf = async (kit: unknown, routes: unknown, language: string) => {
  const folder = newFolder();
  const file = join(folder, 'kit.mjs');
  writeFileSync(file, 'export const { routes } = globalThis.handbook;\nexport default globalThis.handbook.kit;\n');
  Object.assign(globalThis, { handbook: { kit, routes } });
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) > 0 } as unknown as NodeJS.WritableStream;
  const interrupted = new Promise<void>(() => undefined);
  const surroundings = { environment: {}, folder, stdout: stream, stderr: stream, interrupted };
  expect(await run(['handbook', file, '--out', folder, '--language', language], surroundings), said.join('')).toBe(0);
  return (page: string): string => {
    try {
      return readFileSync(join(folder, language, `${page}.md`), 'utf8');
    } catch {
      return '';
    }
  };
};

/** The parts of an HTTP message as a page shows it. */
const read = (message: string) => {
  const [head = '', body] = message.split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { start, headers, body };
};

/** Each request of a page with the answer behind it. */
const exchangesOf = (page: string) => {
  const messages = [...page.matchAll(/^```http\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => read(text));
  return messages.flatMap((request, place) => {
    const answer = messages[place + 1];
    return / HTTP\/1\.1$/.test(request.start) && answer ? [{ request, answer }] : [];
  });
};

const scenes = {
  requests: async () => {
    const host = await startManagingHost<object>({ port: 0, sender: memorySender() });
    const webhook = { url: 'https://partner.example/webhooks', events: ['payed'] } as const;
    (await host.kit.endpoints.create(accountId, webhook))._unsafeUnwrap();
    return { ...host, routes: [...host.kit.routes, ...host.requests.routes] };
  },
  payments: async () => {
    const host = await startHost<object>({ port: 0, sender: memorySender() });
    return { ...host, routes: host.kit.routes };
  },
  'own objects': async () => {
    const host = await startOwnObjectsHost<object>({ port: 0, sender: memorySender() });
    return host;
  },
};

test.each([
  ['requests', 'en', 11],
  ['requests', 'fr', 11],
  ['payments', 'en', 5],
  ['own objects', 'en', 6],
  ['own objects', 'fr', 6],
] as const)(
  'the platform of %s answers each request of the pages in %s as they say',
  async (scene, language, count) => {
    const host = await scenes[scene]();
    try {
      const { client, secret } = (await host.kit.clients.create(accountId, { name: 'Reader' }))._unsafeUnwrap();
      const page = await handbookOf(host.kit, host.routes, language);
      let accessToken = '';
      const filled = (text: string): string =>
        text
          .replaceAll('$CLIENT_ID', client.id)
          .replaceAll('$CLIENT_SECRET', secret)
          .replaceAll('$ACCOUNT_ID', accountId)
          .replaceAll('$ACCESS_TOKEN', accessToken)
          .replaceAll('$IDEMPOTENCY_KEY', randomUUID());
      const exchanges = pages.flatMap((name) => exchangesOf(page(name)));
      expect(exchanges).toHaveLength(count);
      for (const { request, answer } of exchanges) {
        const [method = '', path = ''] = filled(request.start).split(' ');
        const { Host: _host, ...headers } = request.headers;
        const response = await fetch(`${host.baseUrl}${path}`, {
          method,
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
          ...(request.body === undefined ? {} : { body: filled(request.body) }),
        });
        const shown = JSON.parse(answer.body ?? '');
        const body = (await response.json()) as Readonly<Record<string, unknown>>;
        const place = `${request.start}: ${JSON.stringify(body)}`;
        expect(`HTTP/1.1 ${response.status} ${response.statusText}`, place).toBe(answer.start);
        expect(response.headers.get('content-type'), place).toContain(answer.headers['Content-Type']);
        expect(Object.keys(body).toSorted(), place).toEqual(Object.keys(shown).toSorted());
        const { Location: location, ETag: etag } = answer.headers;
        if (location !== undefined)
          expect(response.headers.get('location'), place).toBe(
            filled(location).replace('/example_1', `/${String(body['id'])}`),
          );
        if (etag !== undefined) expect(response.headers.get('etag'), place).toMatch(/^"[^"]+"$/);
        // What is refused is refused in these words.
        if (response.status >= 400) expect(body, place).toEqual(shown);
        if (typeof body['access_token'] === 'string') accessToken = body['access_token'];
      }
      // The last request that the token can send: it has no answer with a body.
      const revocation = [...page('login').matchAll(/^```http\n(POST \S+\/revoke [\s\S]*?)\n```$/gm)].map(
        ([, text = '']) => read(text),
      );
      expect(revocation).toHaveLength(1);
      for (const { start, body } of revocation) {
        const path = start.split(' ')[1] ?? '';
        const headers = { 'content-type': 'application/json' };
        const ended = await fetch(`${host.baseUrl}${path}`, { method: 'POST', headers, body: filled(body ?? '') });
        expect([ended.status, await ended.text()]).toEqual([200, '']);
        const after = await fetch(`${host.baseUrl}/api/v1/partner/organisations/${accountId}/me`, {
          headers: { authorization: `Bearer ${accessToken}` },
        });
        expect(after.status).toBe(401);
      }
    } finally {
      await host.close();
    }
  },
);

test('the run of a deposit on the page of requests goes through, with its states and events', async () => {
  const host = await scenes.requests();
  try {
    const { client, secret } = (await host.kit.clients.create(accountId, { name: 'Reader' }))._unsafeUnwrap();
    const run = (await handbookOf(host.kit, host.routes, 'en'))('requests').split('## A deposit from')[1] ?? '';
    const login = await fetch(`${host.baseUrl}/api/v1/partner/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ grant_type: 'client_credentials', client_id: client.id, client_secret: secret, scope: 'USER' },
      }),
    });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const ids = new Map<string, string>();
    const filled = (text: string) => [...ids].reduce((whole, [name, id]) => whole.replaceAll(name, id), text);
    const api = `${host.baseUrl}/api/v1/partner/organisations/${accountId}/`;
    const call = async (method: string, path: string, body?: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`${api}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      const answer = (await response.json()) as { id: string; status: string; items: { type: string }[] };
      expect(response.ok, `${method} ${path} ${JSON.stringify(answer)}`).toBe(true);
      return answer;
    };
    const rows = [...run.matchAll(/^\| \d+ \| .+ \|$/gm)].map(([row]) =>
      row.split(' | ').map((cell) => cell.replaceAll('`', '').replace(/ ?\|$/, '').trim()),
    );
    expect(rows).toHaveLength(12);
    for (const [, , request = '', body = '', state, event, id = ''] of rows) {
      const [method = '', path = ''] = filled(request).split(' ');
      const answer = await call(method, path, body === '' ? undefined : filled(body));
      if (id !== '') ids.set(id, answer.id);
      if (state === '') {
        expect(answer.items).toHaveLength(1);
        continue;
      }
      expect([request, answer.status]).toEqual([request, state]);
      const object = id === '' ? path.replace(/\/(simulate\/)?[a-z-]+$/, '') : `${path}/${answer.id}`;
      const { items } = await call('GET', `${object}/events?order=newest&limit=1`);
      expect([request, items[0]?.type]).toEqual([request, event]);
    }
  } finally {
    await host.close();
  }
});

test('a list of leases refuses a cursor that is none of its own', async () => {
  const host = await scenes['own objects']();
  try {
    const { client, secret } = (await host.kit.clients.create(accountId, { name: 'Reader' }))._unsafeUnwrap();
    const credentials = {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: secret,
      scope: 'USER',
    };
    const login = await fetch(`${host.baseUrl}/api/v1/partner/login`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(credentials) },
    });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const list = `${host.baseUrl}/api/v1/partner/organisations/${accountId}/leases`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(list, { headers })).status).toBe(200);
    const refused = await fetch(`${list}?after=x`, { headers });
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'invalid_cursor' }]);
  } finally {
    await host.close();
  }
});

const python = ['python3', '-c', 'import sys'] as const;
const hasPython = await (async () => {
  const child = spawn(python[0], python.slice(1));
  return new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
  });
})();

test.skipIf(!hasPython)('the login in Python gets a token', async () => {
  const host = await scenes.payments();
  try {
    const { client, secret } = (await host.kit.clients.create(accountId, { name: 'Reader' }))._unsafeUnwrap();
    const page = await handbookOf(host.kit, host.routes, 'en');
    const [, program = ''] = /^```python\n([\s\S]*?)\n```$/m.exec(page('login')) ?? [];
    const local = program.replace('https://platform.example', host.baseUrl);
    expect(local).not.toBe(program);
    const env = { ...process.env, CLIENT_ID: client.id, CLIENT_SECRET: secret };
    const child = spawn('python3', ['-c', `${local}\nprint(len(token.split(".")))`], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    await once(child, 'close');
    expect(output).toBe('3\n');
  } finally {
    await host.close();
  }
});
