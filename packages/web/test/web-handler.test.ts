import type { HttpResponse, Route } from '@partnerkit/core';
import { readRequest } from '@partnerkit/core/adapter';
import { describe, expect, test } from 'vitest';
import { type WebHandlerOptions, webHandler } from '../src/index.ts';

const handlerOf = (answer: HttpResponse, maxBodyBytes = 4) => {
  const route: Route = { path: '/a', methods: ['GET', 'POST'], maxBodyBytes, handle: async () => answer };
  return webHandler([route]);
};

test.each([
  ['without a type has none', {}, null],
  ['with a type has that one', { 'content-type': 'text/csv' }, 'text/csv'],
])('an answer %s', async (_name, headers, type) => {
  const answer = await handlerOf({ status: 200, headers, body: 'été' })(new Request('http://h.example/a'));
  expect([answer?.headers.get('content-type'), answer?.headers.get('content-length')]).toEqual([type, '5']);
  expect(await answer?.text()).toBe('été');
});

test('an answer without a body has no type', async () => {
  const answer = await handlerOf({ status: 200, headers: {}, body: '' })(new Request('http://h.example/a'));
  expect([answer?.headers.get('content-type'), answer?.body]).toEqual([null, null]);
});

describe('a body that is too large is refused, also when its cancellation fails', () => {
  test.each([
    ['it fails', () => Promise.reject(new Error('no'))],
    [
      'it throws',
      (): never => {
        throw new Error('no');
      },
    ],
    ['it never answers', () => new Promise<void>(() => undefined)],
  ])('%s', async (_name, cancel) => {
    let told: unknown;
    const route: Route = {
      path: '/a',
      methods: ['POST'],
      maxBodyBytes: 4,
      handle: async (request) => {
        told = (await readRequest(request, 4)).body;
        return { status: 413, headers: {}, body: '' };
      },
    };
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(3)), cancel });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect((await webHandler([route])(new Request('http://h.example/a', init)))?.status).toBe(413);
    expect(told).toEqual({ tooLarge: true });
  });
});

test('the kit in place of its routes is refused with the remedy', () => {
  expect(() => webHandler({ routes: [] } as never)).toThrow(
    new TypeError('routes: this is the kit; hand over kit.routes.'),
  );
});

test('an aborted body is reported as aborted; no body is read before the route reads it', async () => {
  const bodies: unknown[] = [];
  let pulled = 0;
  const route: Route = {
    path: '/a',
    methods: ['POST'],
    maxBodyBytes: 4,
    handle: async (request) => {
      bodies.push(pulled, (await readRequest(request, 4)).body);
      return { status: 400, headers: {}, body: '' };
    },
  };
  const body = new ReadableStream(
    {
      pull: () => {
        pulled++;
        throw new Error('reset');
      },
    },
    { highWaterMark: 0 },
  );
  await webHandler([route])(new Request('http://h.example/a', { method: 'POST', body, duplex: 'half' } as RequestInit));
  expect(bodies).toEqual([0, { aborted: true }]);
});

describe('the option trailingSlash', () => {
  const targets: string[] = [];
  const route = (path: `/${string}`): Route => ({
    path,
    methods: ['GET', 'POST'],
    maxBodyBytes: 0,
    handle: async ({ target }) => {
      targets.push(target);
      return { status: 200, headers: {}, body: '' };
    },
  });
  const routes = [route('/a/b'), route('/a/:id/c'), route('/a/*')];
  const targetOf = async (path: string, options?: WebHandlerOptions) => {
    targets.length = 0;
    const answer = await webHandler(routes, options)(new Request(`https://h.example${path}`));
    return answer && targets[0];
  };

  test.each([
    ['/a/b/', '/a/b'],
    ['/a/b', '/a/b'],
    ['/a/b/?x=1/', '/a/b?x=1/'],
    ['/a/b?x=/', '/a/b?x=/'],
    ['/a/x/c/', '/a/x/c'],
    // Only one.
    ['/a/b//', '/a/b/'],
    ['/a/', '/a/'],
    ['/', undefined],
  ])('with it, %s is %s', async (path, target) => {
    expect(await targetOf(path, { trailingSlash: true })).toBe(target);
  });

  test.each([{}, { trailingSlash: false }])('without it (%j), a path with a slash is another one', async (options) => {
    expect(await targetOf('/a/b/', options)).toBe('/a/b/');
    expect(await targetOf('/a/b', options)).toBe('/a/b');
  });

  test('is refused under another name, and as a text', () => {
    expect(() => webHandler(routes, { trailingSlashes: true } as never)).toThrow(
      "webHandler: there is no option 'trailingSlashes'; did you mean 'trailingSlash'?",
    );
    expect(() => webHandler(routes, { trailingSlash: 'yes' } as never)).toThrow(
      new TypeError('webHandler: the option trailingSlash must be true or false.'),
    );
  });
});
