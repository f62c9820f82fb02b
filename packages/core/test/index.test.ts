import { expect, test } from 'vitest';
import * as core from '../src/index.ts';
import * as memory from '../src/memory/index.ts';
import * as receiver from '../src/receiver.ts';

test('golden: what is exported, and nothing else', () => {
  expect(Object.keys(core).toSorted()).toEqual([
    'PublishError',
    'aheadBy',
    'assertOptionNames',
    'breakerPauses',
    'catalogue',
    'createPartnerkit',
    'day',
    'dedupKey',
    'defineObject',
    'deliveryIdOf',
    'disablesAfter',
    'envelopeText',
    'eventSelectors',
    'eventTypes',
    'failuresToOpen',
    'firstIdAt',
    'hour',
    'isDelivered',
    'isEventPair',
    'maxCounted',
    'minute',
    'mostAttempts',
    'mountable',
    'nodeBody',
    'objectNames',
    'pageLimit',
    'parseDeliveryId',
    'parseEnvelope',
    'pauseAskedFor',
    'processOnce',
    'reaches',
    'readRequest',
    'repeatedHeaders',
    'retryDelay',
    'retrySchedule',
    'routeFinder',
    'sealingKeyId',
    'second',
    'shardCount',
    'shardOf',
    'signBody',
    'signatureHeader',
    'signingKey',
    'stampSecond',
    'standardHeaders',
    'standardKey',
    'systemClock',
    'systemRandom',
    'unreadBody',
    'verifySignature',
    'verifyStandard',
  ]);
  expect(Object.keys(memory).toSorted()).toEqual([
    'memoryAccessTokens',
    'memoryAccounts',
    'memoryClientNews',
    'memoryInbox',
    'memoryRateLimiter',
    'memoryRequests',
    'memorySeenKeys',
    'memorySender',
    'memoryStorage',
  ]);
});

test('the receiver’s entry holds nothing that makes clients, tokens, endpoints or deliveries', () => {
  for (const name of Object.keys(receiver))
    expect(name).not.toMatch(/kit|client|token|endpoint|worker|publish|storage/i);
  expect(receiver.verifySignature).toBe(core.verifySignature);
});
