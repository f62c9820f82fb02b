import { standardsHttpSuite } from '@partnerkit/conformance/http-suite';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { test } from 'vitest';
import { signingKey, standardsTokens } from '../../conformance/test/http-suite/standards/tokens.ts';
import { serve } from './support/serve.ts';

standardsHttpSuite({
  test,
  tokens: standardsTokens,
  signingKey,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: serve,
});
