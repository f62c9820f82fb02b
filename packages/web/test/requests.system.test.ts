import { requestsHttpSuite } from '@partnerkit/conformance/http-suite';
import { test } from 'vitest';
import { oneOfEachRule } from '../../../tools/tests/slice.ts';
import { webHandler } from '../src/index.ts';
import { serve } from './bridge.ts';

requestsHttpSuite({
  test: oneOfEachRule(test),
  start: async (routes) => {
    const handle = webHandler(routes);
    return serve(async (request) => (await handle(request)) ?? new Response(null, { status: 404 }));
  },
});
