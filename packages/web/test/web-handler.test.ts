import { type HttpResponse, type Route, readRequest } from '@partnerkit/core/http';
import { describe, expect, test } from 'vitest';
import { webHandler } from '../src/index.ts';

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
