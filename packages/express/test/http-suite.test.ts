import { httpSuite } from '@partnerkit/conformance/http-suite';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { test } from 'vitest';
import { serve } from './serve.ts';

httpSuite({
  test,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: serve,
});
