import { describe, expect, test } from 'vitest';
import { basePath, loginPath, mePath, own, startLoggedIn } from './support/host.ts';
import { ask, openWire } from './support/wire.ts';

/** The list in the documentation: what a caller gets before any route is asked. A change here belongs there too. */
describe('Fastify answers before us', () => {
  test.each([`${basePath}/organisations/%zz/me`, `${basePath}/organisations/%ff/me`, `${basePath}/%`])(
    'an encoding that is no UTF-8: %s',
    async (path) => {
      const { host, headers } = await startLoggedIn();
      const answer = await ask(host, path, { headers });
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'FST_ERR_BAD_URL']);
    },
  );

  test('a method that it does not route: the host’s own 404', async () => {
    const { host } = await startLoggedIn({
      after: (app) => app.setNotFoundHandler((_request, reply) => reply.code(404).send('the host’s')),
    });
    const answer = await ask(host, loginPath, { method: 'PROPFIND' });
    expect([answer.status, answer.body]).toEqual([404, 'the host’s']);
  });

  test('a method that the host added before is ours', async () => {
    const { host } = await startLoggedIn({ before: (app) => app.addHttpMethod('PROPFIND') });
    const answer = await ask(host, loginPath, { method: 'PROPFIND' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  test.each([
    ['a request that is no HTTP', 'HELLO\r\n\r\n', 400],
    ['a method that nobody knows', `FOO ${loginPath} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['a path with bytes outside of ASCII', `GET ${basePath}/\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['no Host', `GET ${mePath(own.id)} HTTP/1.1\r\n\r\n`, 400],
    ['two lengths', `POST ${loginPath} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    [
      'a length and chunks',
      `POST ${loginPath} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['headers over 16 KiB', `GET ${mePath(own.id)} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'an expectation that is not 100-continue',
      `GET ${mePath(own.id)} HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n`,
      417,
    ],
  ])('%s', async (_name, sent, status) => {
    const { host } = await startLoggedIn();
    const wire = await openWire(host);
    wire.write(sent);
    expect(await wire.answer()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    wire.destroy();
  });
});
