import { httpSuite } from '@partnerkit/conformance/http-suite';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { Hono } from 'hono';
import { test } from 'vitest';
import { webHandler } from '../src/index.ts';
import { serve } from './bridge.ts';

httpSuite({
  test,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: async (routes) => {
    const handle = webHandler(routes);
    const app = new Hono<{ Bindings: { remoteAddress: string | undefined } }>().use(
      async (context, next) => (await handle(context.req.raw, context.env)) ?? next(),
    );
    return serve(async (request, remoteAddress) => app.fetch(request, { remoteAddress }));
  },
});
