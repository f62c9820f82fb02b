import { httpSuite } from '@partnerkit/conformance/http-suite';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { test } from 'vitest';
import { serve } from './support/serve.ts';

const undecodable = { status: 400, reason: 'the router decodes the path before any route is chosen' };

httpSuite({
  test,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: serve,
  deviations: {
    'an invalid percent-encoding': undecodable,
    'a percent-encoding that is not UTF-8': undecodable,
    'the children of an id that is not UTF-8': undecodable,
  },
});
