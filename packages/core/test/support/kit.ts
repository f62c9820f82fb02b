import { z } from 'zod';
import type { AccountDirectory } from '../../src/base/accounts/account.ts';
import type { Clock } from '../../src/base/runtime/clock.ts';
import type { Observer } from '../../src/base/signals/listener.ts';
import type { Signal } from '../../src/base/signals/signal.ts';
import { assembleKit } from '../../src/kit/create-partnerkit.ts';
import type { Observability, PartnerkitOptions } from '../../src/kit/options.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../src/stores/rows/memory/memory-rows.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { defineObject } from '../../src/webhooks/catalogue/define-object.ts';
import type { Sender } from '../../src/webhooks/deliveries/sender.ts';
import type { DispatchedEvent, NewEvent } from '../../src/webhooks/events/event.ts';
import { type Engine, engine } from '../../src/webhooks/worker/engine.ts';
import { type TestClock, testClock } from './clock.ts';
import { seededRandom } from './random.ts';

const anyData = z.object({ id: z.string(), status: z.string().optional(), pad: z.string().optional() });
const shape = { schema: anyData, groups: { all: ['status', 'pad'] }, events: { default: ['all'] } } as const;

/** One definition for each objectName, of the same plain data. */
export const objects = [
  defineObject('RequestPayment', shape),
  defineObject('RequestSecurityDeposit', shape),
  defineObject('ModelRequestPayment', shape),
  defineObject('ModelRequestSecurityDeposit', shape),
] as const;

/** Accounts that stand in each relation to `acc_a`. */
export const accounts = [
  { id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' },
  { id: 'acc_child', name: 'Child', status: 'active', environment: 'prod', parentId: 'acc_a' },
  { id: 'acc_grandchild', name: 'Grandchild', status: 'active', environment: 'prod', parentId: 'acc_child' },
  { id: 'acc_b', name: 'Stranger', status: 'active', environment: 'prod' },
];

/** A directory that knows each account of which a test thinks. */
export const anyAccount: AccountDirectory = {
  find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }),
};

export const sealingKeys = [{ id: 'k1', key: new Uint8Array(32).fill(1) }] as const;

type Given = Partial<PartnerkitOptions<MemoryTransaction, typeof objects>>;
/** Options of a kit. Those of the group `advanced`, and the trace context, stand beside the others. */
type Options = Omit<Given, 'advanced' | 'observe'> &
  Omit<Observability, 'observe'> &
  Given['advanced'] & { readonly observe?: Observer };

/** An engine for which every endpoint has answered before: its first attempts may use all of its capacity. */
export const provenEngine: Engine = {
  ...engine,
  createMemory: (deps) => {
    const memory = engine.createMemory(deps);
    const learn: typeof memory.learn = (...read) => {
      memory.learn(...read);
      for (const { lanes } of memory.accounts.all())
        for (const lane of lanes) if (lane.pace === 'untried') lane.pace = 'prompt';
    };
    return { ...memory, learn };
  },
};

/** A platform in memory: clock and randomness are the test's, signals are kept. */
export const platform = <S extends Sender = ReturnType<typeof memorySender>, C extends Clock = TestClock>({
  engine: ofTest = engine,
  clock: given,
  random = seededRandom(),
  sealingKeys: keys = sealingKeys,
  portTimeout,
  observe,
  traceContext,
  ...options
}: Options & {
  readonly sender?: S;
  readonly clock?: C;
  readonly engine?: Engine;
} = {}) => {
  const clock = (given ?? testClock()) as C;
  const storage = options.storage ?? memoryStorage({ clock });
  const sender = (options.sender ?? memorySender()) as S;
  const signals: Signal[] = [];
  const made: PartnerkitOptions<MemoryTransaction, typeof objects> = {
    accounts: memoryAccounts(accounts),
    tokens: memoryAccessTokens({ random }),
    objects,
    ...options,
    observe: { observe: observe ?? ((signal) => signals.push(signal)), traceContext },
    advanced: { sealingKeys: keys, clock, random, ...(portTimeout === undefined ? {} : { portTimeout }) },
    storage,
    sender,
  };
  const kit = assembleKit(made, ofTest);
  return { kit, storage, sender, signals, clock, random };
};

/** What the storage holds of events of an account, all pages. */
export const eventsOf = async (storage: Pick<Storage<never>, 'events'>, accountId: string) => {
  const events: (NewEvent | DispatchedEvent)[] = [];
  for (let after: string | undefined; ; ) {
    const page = await storage.events.listEvents(accountId, { limit: 100, ...(after === undefined ? {} : { after }) });
    for (const { id } of page.items) {
      const event = await storage.events.findEvent(accountId, id);
      if (event) events.push(event);
    }
    if (page.next === undefined) return events;
    after = page.next;
  }
};
