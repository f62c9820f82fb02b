import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import type { NewEvent } from '@partnerkit/core/adapter';
import { readOutbox } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { event, ours } from '../support/records.ts';
import { wholeEventsOf } from '../support/stored.ts';
import { beside } from './acts.ts';
import type { RequestsFixture } from './fixture.ts';
import { examples, type Kind, nextOf } from './records.ts';

const some = (count: number): readonly NewEvent[] => Array.from({ length: count }, () => event());

/** Asserts that these events are stored, each with its place in the outbox, and no others. */
const assertEvents = async ({ storage }: RequestsFixture, expected: readonly NewEvent[]): Promise<void> => {
  deepStrictEqual(await wholeEventsOf(storage, ours), expected);
  const waiting = (await readOutbox(storage)).map(({ id }) => id);
  deepStrictEqual(waiting.sort(), expected.map(({ id }) => id).sort());
};

/** Rules of the events that writes of one kind store: of a store with `storesEvents`. */
export const eventCases = (kind: Kind): Cases<RequestsFixture> => {
  const { bare } = examples[kind];
  return {
    'events: they are committed with their write, or not at all': beside(kind, async (fixture, store, stored) => {
      if (!store.storesEvents) return;
      const committed: NewEvent[] = [];
      const write = async (act: (tx: object, events: readonly NewEvent[]) => Promise<unknown>): Promise<void> => {
        for (const how of ['rollback', 'commit'] as const) {
          const events = some(count);
          await whileOpen(fixture.storage, async (open) => {
            await act(open.tx, events);
            await assertEvents(fixture, committed);
            await open[how]();
          });
          if (how === 'commit') committed.push(...events);
        }
        await assertEvents(fixture, committed);
      };
      let count = 1;
      let last = stored;
      for (; count <= 2; count++) {
        const [made, changed] = [bare(), nextOf(last)];
        last = changed;
        await write((tx, events) => store.insert(tx, made, [], events));
        await write(async (tx, events) => strictEqual(await store.replace(tx, changed, [], events), true));
        await write(async (tx, events) => strictEqual(await store.remove(tx, made, events), true));
      }
    }),
    'events: a write that changes nothing stores none': beside(kind, async (fixture, store, stored) => {
      if (!store.storesEvents) return;
      const { storage } = fixture;
      for (const events of [some(1), some(2)]) {
        const unknown = nextOf(bare());
        const late = nextOf(stored, { version: 3 });
        await storage.transaction(async (tx) => {
          for (const record of [unknown, late]) {
            strictEqual(await store.replace(tx, record, [], events), false);
            strictEqual(await store.remove(tx, record, events), false);
          }
        });
        await rejects(storage.transaction((tx) => store.insert(tx, stored, [], events)));
      }
      await assertEvents(fixture, []);
    }),
  };
};
