import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { createPartnerkit, type EndpointInput, type Signal, type WorkerOptions } from '@partnerkit/core';
import type { Sender, Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts } from '@partnerkit/core/memory';
import { undiciSender } from '@partnerkit/node/undici';
import { fromPg, migrate, type PgClient, postgresStorage } from '@partnerkit/postgres';
import pg from 'pg';
import { giveUp, serve, sharedNow } from '../../children.ts';
import { createLoad, inFlight, type LoadOptions, payment, template, types } from '../load.ts';
import { type Engine, type EngineInput, idleMeter, meter } from './engine.ts';

/** Differences from the usual host. */
export interface KitInput extends EngineInput {
  /** Responds at once instead of sending. */
  readonly sendsNothing?: boolean;
  readonly listen?: boolean;
  readonly load?: LoadOptions;
  readonly endpoint?: Omit<Partial<EndpointInput>, 'events'>;
  readonly worker?: WorkerOptions;
  /** Has a handler that receives every event: it does nothing, in a transaction or not; or it hangs, or rejects. */
  readonly handler?: 'plain' | 'transaction' | 'hanging' | 'rejecting';
  /** Writes each signal as a line of JSON. */
  readonly logsSignals?: boolean;
}

/** Our side. */
export interface Kit extends Engine {
  /** Stores `count` events in one transaction, while workers may run. */
  fillAtOnce(count: number): Promise<void>;
  /** Creates an endpoint that selects none of the published types; resolves to its id. */
  createDead(account: string): Promise<string>;
  /** Number of attempts that this process has stored. */
  stored(): Promise<number>;
  /** Registers an idle worker that ignores its wake signals. */
  idle(): Promise<void>;
}

const noSender: Sender = {
  send: () =>
    new Promise((resolve) => setImmediate(resolve, { kind: 'answered', status: 204, body: '', durationMs: 1 })),
};

/** Writes each signal as a line of JSON, in batches, as loggers do. */
const openLog = () => {
  const file = openSync(devNull, 'w');
  let lines = '';
  return (signal: Signal): void => {
    lines += `${JSON.stringify(signal)}\n`;
    if (lines.length < 16_384) return;
    writeSync(file, lines);
    lines = '';
  };
};

/** Counts POSTs; any other outcome would be another measurement. */
const countedPosts = (sender: Sender, sent: () => void): Sender => ({
  send: async (post) => {
    const outcome = await sender.send(post);
    if (outcome.kind !== 'answered' || outcome.status !== 204) giveUp('Nothing else may happen:', outcome);
    sent();
    return outcome;
  },
});

/** Sums up settled attempts. */
const counted = (
  storage: Storage<PgClient>,
  stored: (count: number) => void,
  handled: (count: number) => void,
): Storage<PgClient> => ({
  ...storage,
  handlers: {
    ...storage.handlers,
    settle: async (settlements, tx) => {
      const settled = await storage.handlers.settle(settlements, tx);
      handled(settlements.length);
      return settled;
    },
  },
  deliveries: {
    ...storage.deliveries,
    settle: async (workerId, settlement) => {
      const settled = await storage.deliveries.settle(workerId, settlement, 0);
      stored(settlement.attempts.length);
      return settled;
    },
  },
});

if (process.send)
  serve<Kit>(async ({ database, receiver, ...change }: KitInput) => {
    const { accounts, eventAt } = createLoad(change.load);
    const pool = new pg.Pool({ connectionString: database, max: 10 });
    await migrate(pool);
    const storage = postgresStorage(fromPg(pool, { listen: change.listen ?? true }));
    let counts = idleMeter;
    let handled = idleMeter;
    let stored = 0;
    const kit = createPartnerkit({
      accounts: memoryAccounts(accounts.map((id) => ({ id, name: id, status: 'active', environment: 'prod' }))),
      storage: counted(
        storage,
        (count) => {
          stored += count;
          counts.stored(count);
        },
        (count) => handled.stored(count),
      ),
      tokens: memoryAccessTokens(),
      sender: countedPosts(
        change.sendsNothing ? noSender : undiciSender({ allow: ['127.0.0.0/8'], ca: receiver.ca }),
        () => counts.sent(),
      ),
      advanced: { sealingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }] },
      objects: [payment, template],
      ...(change.logsSignals ? { observe: openLog() } : {}),
      onError: (cause, { during }) => {
        if (during !== 'handle') console.error(cause);
      },
    });
    const createEndpoints = async (account: string): Promise<void> => {
      // An endpoint for each type; of many accounts, one for all.
      for (const events of accounts.length > 40 ? [types] : types.map((type) => [type])) {
        const url = `${receiver.origin}/${account}/${events[0]}`;
        const created = await kit.endpoints.create(account, { url, events, ...change.endpoint });
        if (created.isErr()) throw new Error(`No endpoint: ${created.error.code}.`);
      }
    };
    const there = await storage.endpoints.listEndpoints(accounts[0] as string, { limit: 1 });
    // Another process created them in this database.
    if (there.items.length === 0) for (const account of accounts) await createEndpoints(account);
    // Only the number of attempts in flight may limit the rate.
    const handle = async () => handled.sent();
    const hang = () => new Promise<void>(() => undefined);
    const reject = () => Promise.reject(new Error('The handler failed.'));
    const ofHandler = { events: types, concurrency: inFlight, handle };
    const handlers = {
      ...(change.handler === 'plain' ? { bench: ofHandler } : {}),
      ...(change.handler === 'transaction' ? { bench: { ...ofHandler, transaction: true } as const } : {}),
      ...(change.handler === 'hanging' ? { bench: { events: types, timeout: 1_000, handle: hang } } : {}),
      ...(change.handler === 'rejecting' ? { bench: { events: types, handle: reject } } : {}),
    };
    const worker = kit.worker({ concurrency: inFlight, perAccount: inFlight, handlers, ...change.worker });
    // Registers the handler, before any event is dispatched.
    if (change.handler) await worker.drain();
    let published = 0;
    return {
      fill: async (count) => {
        for (let left = count; left > 0; left -= 1_000) {
          const events = Array.from({ length: Math.min(left, 1_000) }, () => eventAt(published++));
          await kit.events.publishMany(events, { tx: 'new' });
        }
      },
      drain: async (count) => {
        counts = meter(count);
        handled = meter(count);
        worker.start();
        const measured = await counts.rate;
        const ends = change.handler === 'plain' || change.handler === 'transaction';
        const rate = ends ? Math.min(measured, await handled.rate) : measured;
        await worker.stop();
        return rate;
      },
      start: async () => worker.start(),
      publish: async () => {
        const began = sharedNow();
        await kit.events.publish(eventAt(published++), { tx: 'new' });
        return began;
      },
      fillAtOnce: async (count) => {
        const events = Array.from({ length: count }, () => eventAt(published++));
        await kit.events.publishMany(events, { tx: 'new' });
      },
      createDead: async (account) => {
        const url = `${receiver.origin}/dead`;
        const created = await kit.endpoints.create(account, { url, events: ['deletion'] });
        if (created.isErr()) throw new Error(`No endpoint: ${created.error.code}.`);
        return created.value.endpoint.id;
      },
      stored: async () => stored,
      idle: async () => void (await storage.shards.watch(() => undefined)),
    };
  });
