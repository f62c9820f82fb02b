import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as adapter from '../src/adapter.ts';
import * as core from '../src/index.ts';
import * as memory from '../src/memory.ts';
import * as requests from '../src/requests.ts';
import * as wire from '../src/wire.ts';

const entries = { core, adapter, requests, wire, memory };

test('golden: each entry exports these names, and no others', () => {
  const names = Object.entries(entries).map(([entry, exported]) => [entry, Object.keys(exported).toSorted().join(' ')]);
  expect(Object.fromEntries(names)).toMatchInlineSnapshot(`
    {
      "adapter": "appendedRows assertOptionNames assertOptions assertPositiveInteger canAccess closestWord codes column conditionOf createTurns createWakeSignal createWakes ddlOf deliveryIdOf disableAfter done envelopeText equalInConstantTime failureKinds failuresToOpen firstIdAt fromUtf8 groupRanges later matchesIfNoneMatch maxAttempts maxCounted maxCountedOfEndpoint maxTroubled mountRoutes nextTimestamp noTransaction nodeBody objectHash operationalEvent optionRules orderOf pageLimit parseDeliveryId partnerSettingsOf pathSegment perform performNow problemResponse processOnce quoted readRequest repeatConflicts repeatedHeaders retrySchedule routeFinder rowInbox rowSeenKeys rowStorage rowTables sealingKeyId shardCount shardOf specificationSnippets stepsOf systemClock systemRandom table unreadBody untilAborted verifySnippetsOf wrongAnswer yieldingOf",
      "core": "PortTimeout PublishError Result ResultAsync createPartnerkit day defineObject deprecated err errAsync hour kitsOver minute ok okAsync safeTry second",
      "memory": "memoryAccessTokens memoryAccounts memoryClientChangeFeed memoryInbox memoryRateLimiter memoryRows memorySeenKeys memorySender memoryStorage",
      "requests": "CommandRejection createRequests extendRequestObjects idempotentHandler requestMachines requestObjects",
      "wire": "dedupKey defineEnvelope ed25519 hasEnded hmac parseEnvelope signBody signatureHeader signingKey specificationEnvelope specificationSignature standardHeaders standardKey standardWebhooks standardWebhooksEnvelope verifySignature verifyStandard writeRequest",
    }
  `);
});

/** The names of the entry that are marked as internal where they are declared. */
const internalNames = (): readonly string[] => {
  const read = (path: string): string => readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8');
  return [...read('adapter.ts').matchAll(/\{([^}]*)\} from '\.\/([^']+)'/g)].flatMap(([, list = '', file = '']) => {
    const names = list.split(',').map((name) => name.replace('type ', '').trim());
    const marked = read(file).matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*@internal(?:(?!\*\/)[\s\S])*\*\/\nexport \w+ (\w+)/g);
    return [...marked].flatMap(([, name = '']) => (names.includes(name) ? [name] : []));
  });
};

test('golden: what only the packages of partnerkit share is marked as internal', () => {
  expect(internalNames().toSorted().join(' ')).toMatchInlineSnapshot(
    `"PartnerSettings codes createWakeSignal fromUtf8 operationalEvent partnerSettingsOf specificationSnippets verifySnippetsOf wrongAnswer"`,
  );
});

test('no name is exported by two entries', () => {
  const names = Object.values(entries).flatMap((exported) => Object.keys(exported));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

test('the wire entry exports nothing that makes clients, tokens, endpoints or deliveries', () => {
  for (const name of Object.keys(wire)) expect(name).not.toMatch(/kit|client|token|endpoint|worker|publish|storage/i);
});
