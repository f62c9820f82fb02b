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
    const app = new Hono().use(async (context, next) => (await handle(context.req.raw)) ?? next());
    return serve(async (request) => app.fetch(request));
  },
});
