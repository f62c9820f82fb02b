import { httpAttacks } from '@partnerkit/conformance/attacks';
import { Hono } from 'hono';
import { test } from 'vitest';
import { attackedHost } from '../../conformance/test/attacks/host.ts';
import { webHandler } from '../src/index.ts';
import { serve } from './bridge.ts';

const host = attackedHost();
let close = async (): Promise<void> => undefined;

httpAttacks({
  test,
  url: async () => {
    const handle = webHandler((await host).routes);
    const app = new Hono().use(async (context, next) => (await handle(context.req.raw)) ?? next());
    const server = await serve(async (request) => app.fetch(request));
    close = server.close;
    return `http://127.0.0.1:${server.port}/api/v1/partner`;
  },
  client: async () => (await host).client,
  requests: true,
  without: [
    // A standard URL has slashes in place of backslashes, so this is the path of the own account.
    'a backslash before the resource',
    // A standard Request refuses this method, and the bridge throws.
    'the method TRACE of an account',
    'the method TRACE of the login',
  ],
});

test('the server ends', () => close());
