import { httpSuite, type SuiteReceiver } from '@partnerkit/conformance/http-suite';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { Hono } from 'hono';
import { describe, test } from 'vitest';
import { webHandler } from '../src/index.ts';
import { serve } from './bridge.ts';

const receiver = ({ path, ...options }: SuiteReceiver) =>
  createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path);

describe('on node:http by a bridge of twenty lines', () => {
  httpSuite({
    test,
    receiver,
    start: async (routes) => {
      const handle = webHandler(routes);
      return serve(
        async (request, remoteAddress) =>
          (await handle(request, { remoteAddress })) ?? new Response(null, { status: 404 }),
      );
    },
  });
});

describe('on Hono', () => {
  httpSuite({
    test,
    receiver,
    start: async (routes) => {
      const handle = webHandler(routes);
      const app = new Hono().use(async (context, next) => (await handle(context.req.raw)) ?? next());
      return serve(async (request) => app.fetch(request));
    },
  });
});
