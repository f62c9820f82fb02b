import { expect, test } from 'vitest';
import * as http from '../src/http.ts';
import * as core from '../src/index.ts';
import * as memory from '../src/memory.ts';
import * as ports from '../src/ports.ts';
import * as receiver from '../src/receiver.ts';
import * as requests from '../src/requests.ts';
import * as time from '../src/time.ts';
import * as wire from '../src/wire.ts';

const entries = { core, ports, http, time, requests, memory, receiver, wire };

test('golden: each entry exports these names, and no others', () => {
  const names = Object.entries(entries).map(([entry, exported]) => [entry, Object.keys(exported).toSorted().join(' ')]);
  expect(Object.fromEntries(names)).toMatchInlineSnapshot(`
    {
      "core": "PortTimeout PublishError Result ResultAsync createPartnerkit defineObject err errAsync ok okAsync safeTry sealingKeyId",
      "http": "matchesIfNoneMatch mountRoutes nodeBody pathSegment problemResponse readRequest repeatedHeaders routeFinder unreadBody",
      "memory": "memoryAccessTokens memoryAccounts memoryClientChangeFeed memoryRateLimiter memorySender memoryStorage",
      "ports": "aheadByMs assertOptionNames breakerPauses canAccess closestWord deliveryIdOf disableAfter envelopeText failureKinds failuresToOpen firstIdAt isDelivered maxAttempts maxCounted nextTimestamp noTransaction objectHash pageLimit parseDeliveryId retryAfterPause retryDelay retrySchedule shardCount shardOf systemRandom untilAborted writeRequest",
      "receiver": "assertPositiveInteger createWakeSignal dedupKey equalInConstantTime fromUtf8 hasEnded memoryInbox memorySeenKeys parseEnvelope processOnce signBody signatureHeader signingKey standardHeaders standardKey verifySignature verifyStandard wrongAnswer yieldingOf",
      "requests": "CommandRejection createRequests extendRequestObjects idempotentHandler requestMachines requestObjects",
      "time": "day hour minute second systemClock",
      "wire": "defineEnvelope ed25519 hmac specificationEnvelope specificationSignature standardWebhooks standardWebhooksEnvelope",
    }
  `);
});

test('no name is exported by two entries', () => {
  const names = Object.values(entries).flatMap((exported) => Object.keys(exported));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

test('the receiver entry exports nothing that makes clients, tokens, endpoints or deliveries', () => {
  for (const name of Object.keys(receiver))
    expect(name).not.toMatch(/kit|client|token|endpoint|worker|publish|storage/i);
});
