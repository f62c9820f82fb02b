import { standardsHttpSuite } from '@partnerkit/conformance/http-suite';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { test } from 'vitest';
import { signingKey, standardsTokens } from '../../conformance/test/http-suite/standards/tokens.ts';
import { webHandler } from '../src/index.ts';
import { serve } from './bridge.ts';

// On node:http, by a bridge of twenty lines.
standardsHttpSuite({
  test,
  tokens: standardsTokens,
  signingKey,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: async (routes) => {
    const handle = webHandler(routes);
    return serve(
      async (request, remoteAddress) =>
        (await handle(request, { remoteAddress })) ?? new Response(null, { status: 404 }),
    );
  },
});
