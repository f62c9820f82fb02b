import { createPartnerkit, type HandlerContext, type HandlerEvent, hour } from '@partnerkit/core';
import type { Clock, HandlerStore, Storage } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memorySender, memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { allPages } from '../../src/contracts/support/pages.ts';
import { event } from '../../src/contracts/support/records.ts';
import { checkLaws, historyArbitrary, simulate } from '../../src/simulator/index.ts';
import { createPrng, type Prng } from '../../src/simulator/prng.ts';

type History = Parameters<typeof simulate>[0];
type MemoryStorage = Storage<MemoryTransaction>;
type Break = (handlers: HandlerStore<MemoryTransaction>) => Partial<HandlerStore<MemoryTransaction>>;

/** What handlers write, each as an event of this account about the event that they handled. */
const effects = 'acc_effects';
const writesEffect =
  (storage: MemoryStorage) =>
  async ({ id }: HandlerEvent, { tx }: { readonly tx: MemoryTransaction }): Promise<void> => {
    await storage.events.append(tx, [event({ accountId: effects, objectId: id })]);
  };

/** Throws, hangs, or takes its time; whatever it has written by then is committed or not. */
const troubled = async (prng: Prng, clock: Clock, { signal }: HandlerContext): Promise<void> => {
  if (prng.chance(0.5)) await clock.sleep(prng.below(20_000), new AbortController().signal);
  if (prng.chance(0.3)) throw new Error('The handler failed.');
  if (prng.chance(0.1)) await new Promise((_, reject) => signal.addEventListener('abort', reject));
};

/** Lives a history whose workers have handlers, or lack their code. Ends all deliveries, and tells what they became. */
const live = async (history: History, breaks: Break = () => ({})) => {
  const prng = createPrng(history.seed);
  let passed = 0;
  let storage!: MemoryStorage;
  let first: Parameters<typeof createPartnerkit<MemoryTransaction, readonly []>>[0] | undefined;
  let kits = 0;
  const trace = await simulate<MemoryTransaction>(history, {
    storage: (clock) => {
      const real = memoryStorage({ clock: { ...clock, now: () => clock.now() + passed } });
      storage = { ...real, handlers: { ...real.handlers, ...breaks(real.handlers) } };
      return storage;
    },
    createKit: (options) => {
      first ??= options as never;
      const kit = createPartnerkit(options);
      const own = options.storage as unknown as MemoryStorage;
      const clock = options.advanced?.clock as Clock;
      const write = writesEffect(own);
      // The first one is that of the host. Of the others, every third lacks the code.
      const lacksCode = kits++ % 3 === 2;
      const handlers = {
        ledger: {
          events: ['RequestSecurityDeposit.creation', 'RequestSecurityDeposit.update'],
          since: 0,
          timeout: 10_000,
          transaction: true,
          handle: async (handled: HandlerEvent, context: HandlerContext & { readonly tx: MemoryTransaction }) => {
            if (prng.chance(0.5)) await troubled(prng, clock, context);
            await write(handled, context);
            await troubled(prng, clock, context);
          },
        },
      } as const;
      return { ...kit, worker: (limits) => kit.worker({ ...limits, ...(lacksCode ? {} : { handlers }) } as never) };
    },
  });
  const write = writesEffect(storage);
  if (!first) throw new Error('A history has a host.');
  const clock: Clock = {
    now: () => trace.endedAt + passed,
    sleep: async (time, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) passed += time;
    },
  };
  const last = createPartnerkit({
    ...first,
    ...{ storage, sender: memorySender(), advanced: { ...first.advanced, clock } },
    webhooks: { retention: { events: Number.MAX_SAFE_INTEGER } },
  });
  const worker = last.worker({
    handlers: {
      ledger: {
        events: ['RequestSecurityDeposit.creation', 'RequestSecurityDeposit.update'] as never,
        since: 0,
        transaction: true,
        handle: async (handled, context) => write(handled as HandlerEvent, context),
      },
    },
  });
  for (let days = 0; days < 12; days++) {
    passed += 25 * hour;
    await worker.drain();
  }
  const written = (await allPages((page) => storage.events.listEvents(effects, page))).map(({ objectId }) => objectId);
  const states = await Promise.all(
    trace.accountIds.flatMap(async (accountId) => {
      const events = await allPages((page) => storage.events.listEvents(accountId, page));
      return Promise.all(
        events
          .filter(({ type, onlyTo, origin }) => ['creation', 'update'].includes(type) && !onlyTo && !origin)
          .map(async ({ id }) => {
            const { items } = await storage.handlers.listDeliveries({ accountId, eventId: id }, {});
            return {
              id,
              states: items.map(({ state }) => state),
              effects: written.filter((each) => each === id).length,
            };
          }),
      );
    }),
  );
  return { trace, handled: states.flat(), written };
};

/** Each committed event is handled with one effect, or exhausted without one; nothing else has an effect. */
const problemOf = ({ handled, written, trace }: Awaited<ReturnType<typeof live>>): string | undefined => {
  const committed = new Set(trace.published.flatMap(({ eventId, committedAt }) => (committedAt ? [eventId] : [])));
  const unknown = written.find((id) => !committed.has(id));
  if (unknown !== undefined) return `${unknown} was not committed, and has an effect`;
  if (new Set(written).size < written.length) return 'an event has two effects';
  const wrong = handled.find(({ states, effects }) => String(states) !== (effects === 1 ? 'handled' : 'exhausted'));
  return wrong && `${wrong.id} is ${String(wrong.states)} and has ${wrong.effects} effects`;
};

test('whatever dies, hangs or is lost, the effect of a handler in a transaction happens exactly once', async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => {
      const lived = await live(history);
      expect(problemOf(lived)).toBeUndefined();
      seen += lived.handled.length;
    }),
    { numRuns: sized(8, 1_000), seed: 20_241_121 },
  );
  expect(seen).toBeGreaterThan(5);
});

test('webhooks break no law while handlers throw and hang', async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => {
      const prng = createPrng(history.seed);
      const trace = await simulate(history, {
        createKit: (options) => {
          const kit = createPartnerkit(options);
          const handle = async (): Promise<void> => {
            if (prng.chance(0.5)) throw new Error('The handler failed.');
            if (prng.chance(0.5)) await new Promise(() => undefined);
          };
          const handlers = { other: { events: ['creation', 'update'], concurrency: 2, handle } };
          return { ...kit, worker: (limits) => kit.worker({ ...limits, handlers } as never) };
        },
      });
      checkLaws(trace);
    }),
    { numRuns: sized(6, 1_000), seed: 20_241_121 },
  );
});

describe('the law finds what is wrong with a storage:', () => {
  const faults: Readonly<Record<string, Break>> = {
    'a settlement is stored beside its transaction': ({ settle }) => ({
      settle: (settlements) => settle(settlements),
    }),
    'a settlement says that it settled, whatever it did': ({ settle }) => ({
      settle: async (settlements, tx) => {
        await settle(settlements, tx);
        return settlements.map(() => true);
      },
    }),
    'a handled delivery is due again': ({ settle }) => ({
      settle: (settlements, tx) =>
        settle(tx ? settlements.map((each) => ({ ...each, outcome: 'failed', retryIn: 1 })) : settlements, tx),
    }),
    'a claim is lost': ({ claim }) => ({
      claim: async (handler, limit, pauses, ...after) => {
        const claimed = await claim(
          handler,
          limit,
          pauses.map(() => Number.MAX_SAFE_INTEGER),
          ...after,
        );
        return claimed.slice(1);
      },
    }),
  };
  test.each(Object.entries(faults))('%s', async (_how, breaks) => {
    for (const history of fc.sample(historyArbitrary, { numRuns: 60, seed: 1 }))
      if (problemOf(await live(history, breaks)) !== undefined) return;
    expect.fail('No history broke the law.');
  });
});
