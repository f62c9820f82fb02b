import { expect, test } from 'vitest';
import type { Signal } from '../../../src/base/signals/signal.ts';
import { createPartnerkit } from '../../../src/kit/create-partnerkit.ts';
import { requestObjects } from '../../../src/requests/extensions/objects.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { anyAccount, sealingKeys } from '../../support/kit.ts';
import { alone, codeOf, done, own, recipient } from '../world.ts';

test('an event is signalled when its write stored it or failed, with its trace; a lost race is not', async () => {
  const storage = memoryStorage() as Storage<object>;
  const { payments } = storage.requests;
  const signals: Signal[] = [];
  let write: 'wins' | 'loses' | 'fails' = 'wins';
  const kit = createPartnerkit({
    accounts: anyAccount,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    objects: requestObjects,
    observe: { observe: (signal) => signals.push(signal), traceContext: () => `trace of a write that ${write}` },
    storage: {
      ...storage,
      requests: {
        ...storage.requests,
        payments: {
          ...payments,
          replace: async (...given) => {
            if (write === 'fails') throw new Error('down');
            return write === 'wins' && payments.replace(...given);
          },
        },
      },
    },
    advanced: { sealingKeys },
  });
  const requests = createRequests({ kit });
  const input = { name: 'Stay', amount: 1, currency: 'EUR', recipient };
  const { id } = await done(requests.payments.create(own.id, input, alone));
  const cancel = () => requests.payments.perform(own.id, id, 'cancel', alone);
  write = 'loses';
  expect(await codeOf(cancel())).toBe('changed_meanwhile');
  write = 'fails';
  expect(await codeOf(cancel())).toBe('unavailable');
  write = 'wins';
  await done(cancel());

  const published = signals.filter((signal) => signal.kind === 'published');
  expect(published).toMatchObject([
    { type: 'creation', outcome: 'stored', traceContext: 'trace of a write that wins' },
    { type: 'cancel', outcome: 'unavailable', traceContext: 'trace of a write that fails' },
    { type: 'cancel', outcome: 'stored', traceContext: 'trace of a write that wins' },
  ]);
  const { items } = await storage.events.listEvents(own.id, {});
  const stored = published.filter(({ outcome }) => outcome === 'stored');
  expect(items.map(({ id, traceContext }) => [id, traceContext])).toEqual(
    stored.map(({ eventId, traceContext }) => [eventId, traceContext]),
  );
});

test('a store of the host that does not say that it stores events is given none, and loses none', async () => {
  const storage = memoryStorage() as Storage<object>;
  const { storesEvents: _ofMemory, ...payments } = storage.requests.payments;
  const given: number[] = [];
  const kit = createPartnerkit({
    accounts: anyAccount,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    objects: requestObjects,
    storage: {
      ...storage,
      requests: {
        ...storage.requests,
        payments: {
          ...payments,
          insert: (tx, record, entries, events) => {
            given.push(events.length);
            return payments.insert(tx, record, entries, []);
          },
          replace: (tx, record, entries, events) => {
            given.push(events.length);
            return payments.replace(tx, record, entries, []);
          },
        },
      },
    },
    advanced: { sealingKeys },
  });
  const requests = createRequests({ kit });
  const input = { name: 'Stay', amount: 1, currency: 'EUR', recipient };
  const { id } = await done(requests.payments.create(own.id, input, alone));
  await done(requests.payments.perform(own.id, id, 'cancel', alone));
  const { items } = await storage.events.listEvents(own.id, {});
  expect([given, items.map(({ type }) => type)]).toEqual([
    [0, 0],
    ['creation', 'cancel'],
  ]);
});
