import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { payment } from '../../requests/client.ts';
import { account, call, request, type StandardsGroup, type StandardsLaw, type StandardsWorld } from '../row.ts';

/** Each path of the document with its methods, in capitals. */
const pathsOf = ({ platform }: StandardsWorld): readonly (readonly [template: string, methods: readonly string[]])[] =>
  Object.entries(platform.document.paths).map(([template, methods]) => [
    template,
    Object.keys(methods).map((method) => method.toUpperCase()),
  ]);

/** Headers that differ from one answer to the next. */
const unstable = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);
const stable = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !unstable.has(name)));

const head: StandardsLaw = {
  at: '§9.3.2',
  must: 'HEAD is answered as GET, with the same headers and without content.',
  requests: '`GET` and `HEAD` of each path that has GET, with and without a token',
  answers: 'the same status and headers, also `Content-Length` and `ETag`; HEAD has no content',
  check: async (world) => {
    const read = pathsOf(world).filter(([, methods]) => methods.includes('GET'));
    ok(read.length > 20, `${read.length} paths`);
    for (const [template] of read) {
      const path = await world.platform.pathOf(template);
      for (const ask of [call, request]) {
        const [got, asked] = [await world.send(ask(`GET ${path}`)), await world.send(ask(`HEAD ${path}`))];
        strictEqual(asked.status, got.status, path);
        strictEqual(asked.body, '', path);
        deepStrictEqual(stable(asked.headers), stable(got.headers), path);
        strictEqual(got.headers['content-length'], String(Buffer.byteLength(got.body)), path);
        ok(ask === request || got.status === 200, `${path}: ${got.status} ${got.body}`);
      }
    }
  },
};

const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const allow: StandardsLaw = {
  at: '§15.5.6',
  must: 'A method that a path does not have gets 405, and Allow lists those that it has.',
  requests: `${all.map((method) => `\`${method}\``).join(', ')} of each path that does not have it, without a token`,
  answers: '405 `method_not_allowed`; `Allow` lists the methods of the document, and HEAD where GET is one',
  check: async (world) => {
    const paths = pathsOf(world);
    ok(paths.length > 30, `${paths.length} paths`);
    for (const [template, methods] of paths) {
      const path = await world.platform.pathOf(template);
      const wanted = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].toSorted();
      for (const method of all.filter((each) => !methods.includes(each))) {
        const { status, headers, body } = await world.send(request(`${method} ${path}`));
        deepStrictEqual([status, JSON.parse(body).code], [405, 'method_not_allowed'], `${method} ${path}`);
        deepStrictEqual(headers['allow']?.split(', ').toSorted(), wanted, `${method} ${path}`);
      }
      if (methods.includes('GET')) continue;
      const { status, headers, body } = await world.send(request(`HEAD ${path}`));
      deepStrictEqual([status, body, headers['allow']], [405, '', wanted.join(', ')], `HEAD ${path}`);
    }
  },
};

const body = JSON.stringify(payment);
const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

const management = '/api/v1/partner-management';
const hook = 'https://partner.example/created';
/** What the management API creates: its path, the input, and a part of what it then answers. */
const created = [
  ['/api-keys', { name: 'Created' }, { name: 'Created' }],
  ['/endpoints', { url: hook, events: ['payed'] }, { url: hook }],
] as const;

/** Methods, statuses and their headers. */
export const methodRows: StandardsGroup['rows'] = [
  head,
  allow,
  {
    at: '§9.1',
    must: 'The receiver of webhooks refuses other methods than POST, too.',
    request: request('GET /webhooks'),
    answer: { status: 405, headers: { allow: 'POST' } },
  },
  {
    at: '§9.3.1',
    must: 'Content of GET has no meaning: it changes no answer.',
    request: call(`GET ${account}/me`, ['Content-Type: text/plain'], 'not JSON'),
    answer: { status: 200, body: { id: '<account>' } },
  },
  {
    at: '§10.2.2',
    must: 'Location of a 201 is a reference to the new resource, relative to the target.',
    request: call(`POST ${account}/payment-requests`, [], body),
    answer: { status: 201, headers: { location: `/api/v1/partner${account}/payment-requests/<id>`, etag: '"1"' } },
    next: {
      request: call('GET <location>'),
      answer: { status: 200, headers: { etag: '"1"' }, body: { id: '<id>', name: payment.name } },
    },
  },
  ...created.map(([path, input, seen]): StandardsGroup['rows'][number] => ({
    at: '§10.2.2',
    must: `Location of a 201 is a reference to the new resource: ${path} of the management API.`,
    request: call(`POST ${management}${path}`, [], JSON.stringify(input)),
    answer: { status: 201, headers: { location: new RegExp(`^${management}${path}/[\\w-]+$`), etag: /^"1"$/ } },
    next: {
      request: call('GET <location>'),
      answer: { status: 200, headers: { etag: /^"1/ }, body: seen },
    },
  })),
  {
    at: '§10.2.2',
    must: 'Location does not contain the query of the target.',
    request: call(`POST ${account}/payment-requests?x=1`, [], body),
    answer: { status: 201, headers: { location: `/api/v1/partner${account}/payment-requests/<id>` } },
  },
  {
    at: '§15.3.5',
    must: 'A 204 has no content, no Content-Length (§8.6) and no Content-Type.',
    request: call(`DELETE ${account}/payment-templates/<template>`),
    answer: { status: 204, headers: { 'content-length': null, 'content-type': null }, body: '' },
  },
  {
    at: '§15.5.2',
    must: 'A 401 has a challenge: at a path with a token.',
    request: request(`GET ${account}/me`),
    answer: { status: 401, headers: { 'www-authenticate': /^Bearer / } },
  },
  {
    at: '§15.5.2',
    must: 'A 401 has a challenge: at a receiver of webhooks.',
    request: request('POST /webhooks', ['Content-Type: application/json'], '{}'),
    answer: { status: 401, headers: { 'www-authenticate': /^\w+ realm="[^"]+"$/ } },
  },
  {
    at: '§15.5.5',
    must: 'A target that nothing serves gets 404.',
    request: call('GET /nothing'),
    answer: { status: 404, body: { status: 404, code: 'not_found' } },
  },
  {
    at: '§15.6.4',
    may: 'A 503 says when to try again (§10.2.3).',
    request: call('GET /organisations/<unreachable>/me'),
    answer: { status: 503, headers: { 'retry-after': /^[1-9]\d*$/ }, body: { status: 503, code: 'unavailable' } },
  },
  {
    at: '§6.6.1',
    must: 'An answer has the date of its origin.',
    request: call(`GET ${account}/me`),
    answer: { status: 200, headers: { date } },
  },
  {
    at: '§5.1',
    must: 'Names of headers are case-insensitive.',
    request: request(`GET ${account}/me`, ['aUTHORIZATION: Bearer <token>']),
    answer: { status: 200 },
  },
  {
    at: '§14.2',
    may: 'Range is ignored: the whole representation is sent.',
    request: call(`GET ${account}/me`, ['Range: bytes=0-1']),
    answer: { status: 200, headers: { 'content-range': null }, body: { id: '<account>' } },
  },
];
