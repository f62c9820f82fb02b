import { managementExamplesSuite } from '@partnerkit/conformance/http-suite';
import { test } from 'vitest';
import { webHandler } from '../src/index.ts';
import { serve } from './bridge.ts';

managementExamplesSuite({
  test,
  start: async (routes) => {
    const handle = webHandler(routes);
    return serve(async (request) => (await handle(request)) ?? new Response(null, { status: 404 }));
  },
});
