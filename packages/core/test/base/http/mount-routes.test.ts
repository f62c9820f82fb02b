import { describe, expect, test } from 'vitest';
import { problemResponse } from '../../../src/api/operations/problem.ts';
import { mountRoutes, routeFinder } from '../../../src/base/http/mount-routes.ts';
import type { HttpResponse, IncomingRequest, Route } from '../../../src/base/http/route.ts';
import { request } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const respond = (body: string, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers,
  body,
});
/** A route that answers what it was asked, or 405 as ours do. */
const route = (
  path: `/${string}`,
  methods: readonly string[],
  answer: (asked: IncomingRequest) => HttpResponse = ({ method }) => respond(`${method} of ${path}`),
  maxBodyBytes = 0,
): Route => ({
  path,
  methods,
  maxBodyBytes,
  handle: async (asked) =>
    methods.length > 0 && !methods.includes(asked.method)
      ? problemResponse(405, 'method_not_allowed', '', { headers: { allow: methods.join(', ') } })
      : answer(asked),
});
const only = (routes: readonly Route[]): Route => {
  const mounted = mountRoutes(routes);
  expect(mounted).toHaveLength(1);
  return mounted[0] as Route;
};

describe('several routes of one path', () => {
  test('are one, and each serves its methods', async () => {
    const joined = only([route('/a', ['GET'], undefined, 5), route('/a', ['POST', 'PUT'], undefined, 9)]);
    expect(joined).toMatchObject({ path: '/a', methods: ['GET', 'POST', 'PUT', 'HEAD'], maxBodyBytes: 9 });
    for (const method of ['GET', 'POST', 'PUT'])
      expect((await joined.handle(request(method, '/a'))).body).toBe(`${method} of /a`);
  });

  test('list the methods of all in Allow', async () => {
    const joined = only([route('/a', ['GET']), route('/a', ['POST']), route('/a', ['PUT', 'PATCH'])]);
    const refused = await joined.handle(request('DELETE', '/a'));
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, POST, PUT, PATCH, HEAD']);
  });

  test('of one method are refused, with its name', () => {
    expect(() => mountRoutes([route('/a', ['GET']), route('/a', ['POST', 'GET'])])).toThrow(TypeError);
    expect(() => mountRoutes([route('/a', ['GET']), route('/a', ['POST', 'GET'])])).toThrow(
      'Two routes serve GET /a: mount one of them.',
    );
    expect(() => mountRoutes([route('/a', ['GET']), route('/a/', ['GET']), route('/A', ['GET'])])).not.toThrow();
  });
});

describe('HEAD', () => {
  test('is GET without the body, with the length that it would have', async () => {
    const joined = only([route('/a', ['GET'], ({ method }) => respond(`été ${method}`))]);
    const [get, head] = [await joined.handle(request('GET', '/a')), await joined.handle(request('HEAD', '/a'))];
    expect(get).toEqual({ status: 200, headers: { 'content-length': '9' }, body: 'été GET' });
    expect(head).toEqual({ ...get, body: '' });
  });

  test('where there is no GET: 405, without a body', async () => {
    const joined = only([route('/login', ['POST'])]);
    const refused = await joined.handle(request('HEAD', '/login'));
    expect([refused.status, refused.headers['allow'], refused.body]).toEqual([405, 'POST', '']);
    expect(joined.methods).toEqual(['POST']);
  });

  test('of a route that serves it itself is its own', async () => {
    const joined = only([route('/a', ['GET', 'HEAD'])]);
    expect(joined.methods).toEqual(['GET', 'HEAD']);
    expect((await joined.handle(request('HEAD', '/a'))).body).toBe('HEAD of /a');
  });

  test('of an unknown path has no body', async () => {
    const [rest] = mountRoutes([route('/a/*', [], () => respond('nothing here', 404))]);
    expect(await rest?.handle(request('HEAD', '/a/x'))).toEqual({
      status: 404,
      headers: { 'content-length': '12' },
      body: '',
    });
  });
});

describe('content-length', () => {
  test.each([
    ['', '0'],
    ['abc', '3'],
    ['été', '5'],
    ['€', '3'],
    ['🏡🔑', '8'],
    ['\ud800', '3'],
  ])('of %j is %s: bytes, not characters', async (body, length) => {
    const response = await only([route('/a', ['GET'], () => respond(body))]).handle(request('GET', '/a'));
    expect(response.headers['content-length']).toBe(length);
    expect(Number(length)).toBe(Buffer.byteLength(response.body));
  });

  test.each([204, 304])('is absent from a %i, which has no body', async (status) => {
    const response = await only([route('/a', ['GET'], () => respond('lost', status, { etag: '"x"' }))]).handle(
      request('GET', '/a'),
    );
    expect(response).toEqual({ status, headers: { etag: '"x"' }, body: '' });
  });

  test('is removed from a 204 (RFC 9110 §8.6)', async () => {
    const answer = () => respond('lost', 204, { etag: '"x"', 'content-length': '4' });
    const response = await only([route('/a', ['GET'], answer)]).handle(request('GET', '/a'));
    expect(response).toEqual({ status: 204, headers: { etag: '"x"' }, body: '' });
  });

  test('is counted, and overrides that of a route', async () => {
    const response = await only([route('/a', ['GET'], () => respond('abc', 200, { 'content-length': '1' }))]).handle(
      request('GET', '/a'),
    );
    expect(response.headers['content-length']).toBe('3');
  });
});

describe('the catch-all', () => {
  test('comes last, in any order of routes', () => {
    const mounted = mountRoutes([
      route('/a/*', []),
      route('/a/b', ['GET']),
      route('/c/*', []),
      route('/a/:id', ['GET']),
    ]);
    expect(mounted.map(({ path }) => path)).toEqual(['/a/b', '/a/:id', '/a/*', '/c/*']);
  });

  test('matches again what a router passed through', async () => {
    const me = route('/a/:id/me', ['GET'], ({ target }) => respond(`me ${target}`));
    const outside = route('/b/x', ['GET'], () => expect.unreachable());
    const rest = mountRoutes([route('/a/*', [], () => respond('nothing here', 404)), me, outside]).at(-1) as Route;
    const ask = async (method: string, target: string) => {
      const { status, body } = await rest.handle(request(method, target));
      return [status, body];
    };
    expect(await ask('GET', '/a/1/me')).toEqual([200, 'me /a/1/me']);
    expect(await ask('GET', 'http://h.example/a/1/me')).toEqual([200, 'me http://h.example/a/1/me']);
    expect(await ask('HEAD', '/a/1/me')).toEqual([200, '']);
    expect((await ask('POST', '/a/1/me'))[0]).toBe(405);
    // An encoding that is none: the route itself says so.
    expect(await ask('GET', '/a/%ff/me')).toEqual([200, 'me /a/%ff/me']);
    for (const target of ['/a/1/me/', '/a//me', '/A/1/me', '/a/1/ME', '/b/x', '/a']) {
      expect(await ask('GET', target)).toEqual([404, 'nothing here']);
    }
  });

  test('reads as much as any route that it can call', () => {
    const rest = mountRoutes([
      route('/a/*', [], undefined, 1),
      route('/a/x', ['PUT'], undefined, 99),
      route('/b/y', ['PUT'], undefined, 500),
    ]);
    expect(rest.at(-1)).toMatchObject({ path: '/a/*', maxBodyBytes: 99 });
  });
});

describe('routeFinder', () => {
  const find = routeFinder(
    mountRoutes([route('/a/*', []), route('/a/:id/me', ['GET']), route('/a/login', ['POST']), route('/b/c', ['GET'])]),
  );
  test.each([
    ['/a/login', '/a/login'],
    ['/a/login?x=/b/c', '/a/login'],
    ['/a/1/me', '/a/:id/me'],
    ['http://h.example/a/1/me#x', '/a/:id/me'],
    ['/a/%ff/me', '/a/:id/me'],
    ['/a/1/me/', '/a/*'],
    ['/a/Login', '/a/*'],
    ['/a/', '/a/*'],
    ['/a//me', '/a/*'],
    ['/b/c', '/b/c'],
    ['/a', undefined],
    ['/ab', undefined],
    ['/A/login', undefined],
    ['/b/c/', undefined],
    ['/x?/a/login', undefined],
    ['', undefined],
    ['*', undefined],
  ])('%s is for %s', (target, path) => {
    expect(find(target)?.path).toBe(path);
  });
});

test('literals come before parameters, whatever they are called and in whichever order they were given', async () => {
  const route = (path: `/${string}`, method: string): Route => ({
    path,
    methods: [method],
    maxBodyBytes: 0,
    handle: async () => ({ status: 200, headers: {}, body: `${method} ${path}` }),
  });
  const given = [route('/n/:id', 'GET'), route('/n/latest', 'GET'), route('/n/:noteId', 'PUT'), route('/n/*', 'GET')];
  for (const routes of [given, given.toReversed()]) {
    expect(mountRoutes(routes).map(({ path }) => path.replace(/:.*/, ':'))).toEqual(['/n/latest', '/n/:', '/n/*']);
    const find = routeFinder(mountRoutes(routes));
    expect((await find('/n/latest')?.handle(request('GET', '/n/latest')))?.body).toBe('GET /n/latest');
    expect((await find('/n/7')?.handle(request('PUT', '/n/7')))?.body).toBe('PUT /n/:noteId');
  }
  expect(() => mountRoutes([route('/n/:id', 'GET'), route('/n/:noteId', 'GET')])).toThrow(
    'Two routes serve GET /n/:noteId',
  );
});

test('a value that is not a list of routes is refused with the remedy', () => {
  const { kit } = platform();
  const mount = (routes: unknown) => () => mountRoutes(routes as readonly Route[]);
  expect(mount(kit)).toThrow(new TypeError('routes: this is the kit; hand over kit.routes.'));
  expect(mount(undefined)).toThrow(new TypeError('routes: a list is needed, such as kit.routes.'));
  expect(mount([kit.routes])).toThrow(new TypeError('routes[0] is a list: spread it, as in [...kit.routes, route].'));
  for (const wrong of [undefined, null, kit, () => undefined, { path: '/x' }])
    expect(mount([...kit.routes, wrong])).toThrow(
      new TypeError(
        `routes[${kit.routes.length}] is no route: hand over what kit.accountRoute or receiver.route answers.`,
      ),
    );
});
