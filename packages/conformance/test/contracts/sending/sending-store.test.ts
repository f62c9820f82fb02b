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
const entries = 'a pause and its end write their entries, and a call that changes nothing writes none';
const told = 'an entry of all accounts is listed with those of all, and handlers are told of it';
const by = 'a pause says who began it: the actor of its entry';
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
  broken('a pause of everything concerns one shard', [raised, entries], ({ pause }) => ({
    pause: ({ accountId = 'acc_any', ...scope }, audit) => pause({ accountId, ...scope }, audit),
  })),
  broken('a pause of an account begins anew each time', [same, entries, by, ...listed], ({ pause, resume }) => ({
    pause: async (scope, audit) => {
      await resume(scope, audit);
      await pause(scope, audit);
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
    resume: async (scope, audit) => {
      for (const { since: _since, by: _by, ...each } of await listPauses())
        if (scope.accountId === undefined || each.accountId === scope.accountId) await resume(each, audit);
    },
  })),
  broken('pauses are listed as they began', listed, ({ listPauses }) => ({
    listPauses: async () => (await listPauses()).toReversed(),
  })),
  broken('pauses began by the clock of the host', listed, ({ listPauses }) => ({
    listPauses: async () => (await listPauses()).map((each) => ({ ...each, since: 0 })),
  })),
  broken('one pause of several writes its entry', [entries], ({ pause }) => ({
    pause: (scope, audit) => pause(scope, { ...audit, id: '01910b3e-0000-7000-8000-000000000009' }),
  })),
  broken('an entry of all accounts has an account', [told], ({ pause }) => ({
    pause: (scope, audit) => pause(scope, { ...audit, accountId: 'acc_ours' }),
  })),
  broken('a pause is by the host, whoever began it', [by], ({ listPauses }) => ({
    listPauses: async () => (await listPauses()).map((each) => ({ ...each, by: { type: 'host' } })),
  })),
  onHealth('health does not tell of a pause', health, ({ readHealth }) => ({
    readHealth: async (...args) => (await readHealth(...args)).map(({ sendingPausedSince: _none, ...each }) => each),
  })),
  broken('simultaneous pauses all begin', [together], ({ pause, resume, listPauses }) => ({
    pause: async (scope, audit) => {
      const known = (await listPauses()).some((each) => nameOf(each) === nameOf(scope));
      await meanwhile();
      if (known) return;
      await resume(scope, audit);
      await pause(scope, audit);
    },
  })),
];

findsEveryFault(sendingStoreContract, memoryStorageFixture, doubles);
