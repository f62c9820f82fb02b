import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { httpSuite } from '@partnerkit/testing/http-suite';
import { test } from 'vitest';
import { serve } from './serve.ts';

httpSuite({
  test,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: serve,
});
