import type { OwnedEndpoint, SendingScope, SendingStore } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { sendingStoreContract } from '../../../src/contracts/sending/sending-store.ts';
import { breakPort, clocks, type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';

describe('memory', () => {
  sendingStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  sendingStoreContract({ test, create: slowStorageFixture });
});

const broken = breakPort('sending');
const onRead = breakPort('deliveries');
const onHealth = breakPort('endpoints');

const raised = 'a pause raises the version of the shards that it concerns, and so does its end';
const same = 'the same pause again, and the end of none, raise no version';
const read = 'a worker reads which endpoints are paused: by themselves, their account or everything';
const together = 'simultaneous pauses of one scope make one, and raise the versions once';
const listed = clocks('pauses are listed in order, each since it began');
const health = clocks('health tells since when an endpoint is paused, by the first of its pauses');

/** Workers read other endpoints as paused. */
const reading = (
  how: string,
  isPaused: (endpoint: OwnedEndpoint, pauses: Awaited<ReturnType<SendingStore['listPauses']>>) => boolean,
): Double<StorageFixture> => ({
  how,
  breaks: [read],
  make: (fixture) => {
    const { storage } = fixture;
    const readEndpoints: typeof storage.deliveries.readEndpoints = async (...args) => {
      const found = await storage.deliveries.readEndpoints(...args);
      const pauses = await storage.sending.listPauses();
      return {
        ...found,
        endpoints: found.endpoints.map((each) => ({ ...each, isSendingPaused: isPaused(each, pauses) })),
      };
    };
    return { ...fixture, storage: { ...storage, deliveries: { ...storage.deliveries, readEndpoints } } };
  },
});

const nameOf = ({ accountId, endpointId }: SendingScope): string => `${accountId} ${endpointId}`;

const doubles: readonly Double<StorageFixture>[] = [
  onRead('workers are told of no changed shard', [raised], ({ readEndpoints }) => ({
    readEndpoints: async (...args) => ({ ...(await readEndpoints(...args)), changedShards: [] }),
  })),
  broken('a pause of everything concerns one shard', [raised], ({ pause }) => ({
    pause: ({ accountId = 'acc_any', ...scope }) => pause({ accountId, ...scope }),
  })),
  broken('a pause of an account begins anew each time', [same, ...listed], ({ pause, resume }) => ({
    pause: async (scope) => {
      await resume(scope);
      await pause(scope);
    },
  })),
  reading('only the pause of everything counts', (_, pauses) =>
    pauses.some(({ accountId }) => accountId === undefined),
  ),
  reading('any pause counts', (_, pauses) => pauses.length > 0),
  reading('a pause of an endpoint counts for its account', ({ endpoint }, pauses) =>
    pauses.some(({ accountId }) => accountId === undefined || accountId === endpoint.accountId),
  ),
  reading('a pause of an endpoint counts, whoever has it', ({ endpoint }, pauses) =>
    pauses.some(({ accountId, endpointId }) =>
      endpointId === undefined
        ? accountId === undefined || accountId === endpoint.accountId
        : endpointId === endpoint.id,
    ),
  ),
  broken('the end of one pause ends those below it', [read], ({ resume, listPauses }) => ({
    resume: async (scope) => {
      for (const { since: _since, ...each } of await listPauses())
        if (scope.accountId === undefined || each.accountId === scope.accountId) await resume(each);
    },
  })),
  broken('pauses are listed as they began', listed, ({ listPauses }) => ({
    listPauses: async () => (await listPauses()).toReversed(),
  })),
  broken('pauses began by the clock of the host', listed, ({ listPauses }) => ({
    listPauses: async () => (await listPauses()).map((each) => ({ ...each, since: 0 })),
  })),
  onHealth('health does not tell of a pause', health, ({ readHealth }) => ({
    readHealth: async (...args) => (await readHealth(...args)).map(({ sendingPausedSince: _none, ...each }) => each),
  })),
  broken('simultaneous pauses all begin', [together], ({ pause, resume, listPauses }) => ({
    pause: async (scope) => {
      const known = (await listPauses()).some((each) => nameOf(each) === nameOf(scope));
      await meanwhile();
      if (known) return;
      await resume(scope);
      await pause(scope);
    },
  })),
];

findsEveryFault(sendingStoreContract, memoryStorageFixture, doubles);
