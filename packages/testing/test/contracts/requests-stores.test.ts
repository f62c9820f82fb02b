import { type MemoryTransaction, memoryRequests, memoryStorage } from '@partnerkit/core/memory';
import type { RequestStores } from '@partnerkit/core/requests';
import { describe, expect, test } from 'vitest';
import { manualClock, type RequestsFixture, requestStoresContract } from '../../src/index.ts';

type Stores = RequestStores<MemoryTransaction>;

const fixture =
  (spoil: (stores: Stores) => Stores = (stores) => stores) =>
  async (): Promise<RequestsFixture<MemoryTransaction>> => {
    const clock = manualClock();
    return {
      storage: memoryStorage({ clock }),
      stores: spoil(memoryRequests({ clock })),
      elapse: async (time) => clock.pass(time),
    };
  };

describe('memory holds', () => {
  requestStoresContract({ test, create: fixture() });
});

describe('stores with one thing wrong fail', () => {
  const failed = async (spoil: (stores: Stores) => Stores): Promise<readonly string[]> => {
    const names: string[] = [];
    const running: Promise<void>[] = [];
    requestStoresContract({
      test: (name, run) =>
        void running.push(
          run().catch(() => {
            names.push(name);
          }),
        ),
      create: fixture(spoil),
    });
    await Promise.all(running);
    return names;
  };

  test.concurrent.each<[what: string, spoil: (stores: Stores) => Stores, fails: string]>([
    [
      'a store that looks at no version',
      (stores) => ({
        ...stores,
        payments: {
          ...stores.payments,
          replace: async (tx, record) => {
            const held = await stores.payments.find(
              { id: record.accountId, environment: record.environment },
              record.id,
              tx,
            );
            return held ? stores.payments.replace(tx, { ...record, version: held.version }) : false;
          },
        },
      }),
      'payments: a change of an older version, of another account or of nothing changes nothing',
    ],
    [
      'a store that finds what is of another environment',
      (stores) => ({
        ...stores,
        deposits: {
          ...stores.deposits,
          find: async (owner, id, tx) =>
            (await stores.deposits.find(owner, id, tx)) ??
            stores.deposits.find({ ...owner, environment: owner.environment === 'dev' ? 'prod' : 'dev' }, id, tx),
        },
      }),
      'deposits: a record that is not there is not found',
    ],
    [
      'a store that fails on a cursor that it cannot read',
      (stores) => ({
        ...stores,
        payments: {
          ...stores.payments,
          list: async (...asked) => {
            const page = await stores.payments.list(...asked);
            if (page.invalidCursor) throw new TypeError('after: hand over the `next` of the page before.');
            return page;
          },
        },
      }),
      'payments: a cursor that is none is answered as such',
    ],
    [
      'a store that lists oldest first, whatever is asked for',
      (stores) => ({
        ...stores,
        payments: {
          ...stores.payments,
          list: (owner, { newestFirst: _newestFirst, ...page }, filter) => stores.payments.list(owner, page, filter),
        },
      }),
      'payments: a list is read newest first, filtered, in whatever pages',
    ],
    [
      'a store that filters nothing',
      (stores) => ({
        ...stores,
        depositTemplates: {
          ...stores.depositTemplates,
          list: (owner, page) => stores.depositTemplates.list(owner, page),
        },
      }),
      'depositTemplates: a list holds what fits all that is asked for',
    ],
    [
      'a store that forgets the last cash-out',
      (stores) => ({
        ...stores,
        deposits: {
          ...stores.deposits,
          insert: (tx, record) => stores.deposits.insert(tx, { ...record, cashOuts: record.cashOuts.slice(0, -1) }),
        },
      }),
      'deposits: a record comes back as it was stored',
    ],
    [
      'answers that are the whole account’s',
      (stores) => ({
        ...stores,
        answers: {
          take: (tx, key) => stores.answers.take(tx, { ...key, clientId: '' }),
          keep: (tx, key, answer) => stores.answers.keep(tx, { ...key, clientId: '' }, answer),
        },
      }),
      'answers: an answer comes back as it was kept, to its own key alone',
    ],
    [
      'answers that are kept in whatever case',
      (stores) => ({
        ...stores,
        answers: {
          take: (tx, key) => stores.answers.take(tx, { ...key, key: key.key.toLowerCase() }),
          keep: (tx, key, answer) => stores.answers.keep(tx, { ...key, key: key.key.toLowerCase() }, answer),
        },
      }),
      'answers: an answer comes back as it was kept, to its own key alone',
    ],
  ])('%s', async (_what, spoil, fails) => {
    expect(await failed(spoil)).toContain(fails);
  });
});
