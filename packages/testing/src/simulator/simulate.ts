import {
  type Clock,
  createPartnerkit,
  day,
  defineObject,
  type Endpoint,
  type EpochMs,
  type Partnerkit,
  type Random,
  type Signal,
  type Storage,
  type Worker,
} from '@partnerkit/core';
import { memoryAccessTokens, memoryStorage } from '@partnerkit/core/memory';
import { z } from 'zod';
import { simulatedDirectory } from './directory.ts';
import { createGate, gateStorage } from './gates.ts';
import type { History } from './history.ts';
import { scriptedNetwork } from './network.ts';
import { createPrng } from './prng.ts';
import { type Records, recordStorage } from './record.ts';
import { createScheduler, type Process } from './scheduler.ts';
import type { Trace } from './trace.ts';

/**
 * What to simulate on.
 * @public
 */
export interface SimulateOptions<Tx extends object> {
  /** Makes empty storage that takes its time from `clock`. Its calls must end without waiting for real time. */
  readonly storage: (clock: Clock, random: Random) => Storage<Tx>;
}

const start: EpochMs = 1_795_000_000_000;
const faultsEnd = 20 * 60_000;
const accounts = ['account-0', 'account-1'];
const deposit = defineObject('RequestSecurityDeposit', {
  schema: z.object({ id: z.string(), n: z.number() }),
  groups: { all: ['n'] },
  events: { default: ['all'] },
});
const sealingKeys = [{ id: 'k', key: new Uint8Array(32) }] as const;
const tokens = memoryAccessTokens();

class RolledBack extends Error {}

const isTold = (signal: Signal): signal is Trace['signals'][number] =>
  signal.kind === 'delivery_expired' || 'failures' in signal;

/**
 * Lives a history on a virtual clock, every interleaving decided by its seed, with processes that die at any await, and
 * returns all that could be seen. The same history gives the same trace.
 * @example
 * const [history] = fc.sample(historyArbitrary, 1);
 * if (history) checkLaws(await simulate(history));
 * @throws Error when something never ends.
 * @public
 */
export const simulate = async <Tx extends object = object>(
  history: History,
  { storage: makeStorage }: SimulateOptions<Tx> = {
    storage: (clock, random) => memoryStorage({ clock, random }) as unknown as Storage<Tx>,
  },
): Promise<Trace> => {
  const prng = createPrng(history.seed);
  const scheduler = createScheduler(start, prng);
  const storeClock: Clock = {
    now: () => scheduler.now() + history.storeAhead,
    sleep: () => Promise.reject(new Error('A store does not sleep.')),
  };
  const storage = makeStorage(storeClock, prng);
  const urls = history.endpoints.map((_, index) => `https://receiver-${index}.example/`);
  const network = scriptedNetwork(history, urls, scheduler, prng);
  const records: Records = { grants: [], ended: [], happened: [] };
  const signals: Trace['signals'][number][] = [];
  const childUntil = history.family ? start + (history.family.leavesAt ?? Number.POSITIVE_INFINITY) : undefined;
  const directoryFaults = () => (scheduler.now() < start + faultsEnd ? (history.family?.faults ?? 0) : 0);
  const kitOn = (process: Process, behind: Storage<Tx>): Partnerkit<Tx, typeof deposit> =>
    createPartnerkit({
      accounts: simulatedDirectory(accounts, childUntil, process, prng, directoryFaults),
      storage: behind,
      tokens,
      sender: network.senderOf(process),
      objects: [deposit],
      sealingKeys,
      retention: { events: 400 * day, attempts: 400 * day },
      observe: (signal) => {
        if (isTold(signal)) signals.push(signal);
      },
      clock: process.clock,
      random: prng,
    });

  const setup = kitOn(scheduler.spawn('setup'), storage);
  const created: { readonly accountId: string; readonly id: string; readonly url: string }[] = [];
  for (const [index, { account, events, includeChildren = false }] of history.endpoints.entries()) {
    const input = { url: urls[index] as string, events, includeChildren };
    const made = await setup.endpoints.create(accounts[account] as string, input);
    if (made.isErr()) throw new Error(`The endpoint was refused: ${made.error.code}.`);
    created.push(made.value.endpoint);
  }

  // Everything that the script will still do.
  let coming = 0;
  const later = (after: number, call: () => void): void => {
    coming++;
    scheduler.at(scheduler.now() + after, () => {
      coming--;
      call();
    });
  };

  // Processes, and their deaths.
  const machines = ['host', ...Array.from({ length: history.workers }, (_, index) => `worker ${index + 1}`)];
  const lives = new Map<
    string,
    {
      readonly process: Process;
      readonly kit: Partnerkit<Tx, typeof deposit>;
      readonly storage: Storage<Tx>;
      readonly worker?: Worker;
    }
  >();
  const steps = new Map<string, number>();
  const births = new Map<string, number>();
  let stopping = false;
  const boot = (machine: string): void => {
    if (stopping) return;
    births.set(machine, (births.get(machine) ?? 0) + 1);
    const process = scheduler.spawn(`${machine}.${births.get(machine)}`);
    const gate = createGate(process, prng, () => (scheduler.now() < start + faultsEnd ? history.faults : 0));
    const seen = gateStorage(recordStorage(storage, process, scheduler, records), process, gate, prng);
    const kit = kitOn(process, seen);
    if (machine === 'host') lives.set(machine, { process, kit, storage: seen });
    else {
      const worker = kit.worker({
        concurrency: history.concurrency,
        pollEvery: history.pollEvery,
        pruneEvery: history.pruneEvery,
      });
      lives.set(machine, { process, kit, storage: seen, worker });
      worker.start();
    }
  };
  scheduler.onStep((process) => {
    const machine = process.name.slice(0, process.name.indexOf('.'));
    const step = (steps.get(machine) ?? 0) + 1;
    steps.set(machine, step);
    const crash = history.crashes.find((each) => machines[each.process] === machine && each.step === step);
    if (!crash || !process.alive) return;
    process.kill();
    lives.delete(machine);
    later(crash.downFor, () => boot(machine));
  });
  for (const machine of machines) boot(machine);

  // What the host and the partners do.
  const publishes = history.publishes.map(
    (): { eventId: string | undefined; end: 'committed' | 'rolled back' | 'unknown' } => ({
      eventId: undefined,
      end: 'unknown',
    }),
  );
  const publish = async (index: number): Promise<void> => {
    const { account, object, type, age, rollback, idempotencyKey } = history.publishes[
      index
    ] as History['publishes'][number];
    const noted = publishes[index] as (typeof publishes)[number];
    const host = lives.get('host');
    if (!host) return;
    const event = {
      accountId: accounts[account] as string,
      objectName: 'RequestSecurityDeposit' as const,
      type,
      data: { id: `object-${object}`, n: index },
      ...(age === undefined ? {} : { occurredAt: Math.max(scheduler.now() + history.storeAhead - age, 0) }),
    };
    try {
      await host.storage.transaction(async (tx) => {
        const published = await host.kit.events.publish(event, {
          tx,
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        });
        if (!published.replayed) noted.eventId = published.eventId;
        if (rollback) throw new RolledBack();
      });
      noted.end = 'committed';
    } catch (cause) {
      if (cause instanceof RolledBack) noted.end = 'rolled back';
    }
  };
  for (const [index, { at }] of history.publishes.entries()) later(at, () => void publish(index));
  const changed = new Set<string>();
  for (const { at, endpoint, act } of history.changes) {
    const target = created[endpoint];
    if (!target) continue;
    changed.add(target.id);
    // Refused or not, the partner tries once.
    later(at, () =>
      lives
        .get('host')
        ?.kit.endpoints[act](target.accountId, target.id)
        .then(() => undefined),
    );
  }

  // Until nothing waits any more.
  const pages = async <T>(
    read: (after: string | undefined) => Promise<{ readonly items: readonly T[]; readonly next?: string }>,
  ): Promise<T[]> => {
    const items: T[] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await read(after);
      items.push(...page.items);
      after = page.next;
    }
    return items;
  };
  const pageOf = (after: string | undefined) => ({ limit: 100, ...(after === undefined ? {} : { after }) });
  const eventsOf = (accountId: string) => pages((after) => storage.events.listEvents(accountId, pageOf(after)));
  const deliveriesOf = (accountId: string, filter: { readonly state?: 'waiting' } = {}) =>
    pages((after) => storage.log.listDeliveries(accountId, filter, pageOf(after)));
  const isQuiet = async (): Promise<boolean> => {
    if (coming > 0 || scheduler.now() < start + history.lasts) return false;
    for (const accountId of accounts) {
      if ((await deliveriesOf(accountId, { state: 'waiting' })).length > 0) return false;
      if ((await eventsOf(accountId)).some((event) => !('timestamp' in event))) return false;
    }
    return (await storage.referrals.listReferring(1)).length === 0;
  };
  await scheduler.run(isQuiet);
  stopping = true;
  const stopped = new Set<Worker>();
  for (const { worker } of lives.values()) void worker?.stop().then(() => stopped.add(worker));
  await scheduler.run(() => [...lives.values()].every(({ worker }) => !worker || stopped.has(worker)));

  const events = (await Promise.all(accounts.map(eventsOf))).flat();
  const deliveries = (
    await Promise.all(
      accounts.map(async (accountId) =>
        Promise.all(
          (
            await deliveriesOf(accountId)
          ).map(async (delivery) => ({
            ...delivery,
            accountId,
            log: await storage.log.listAttempts(accountId, delivery.id),
          })),
        ),
      ),
    )
  ).flat();
  const endpoints = await Promise.all(
    created.map(async ({ accountId, id, url }) => {
      const found: Endpoint | undefined = await storage.endpoints.findEndpoint(accountId, id);
      return {
        id,
        url,
        accountId,
        steady: !changed.has(id),
        state: found?.state,
      };
    }),
  );
  const perAccount = Math.max(1, Math.floor(history.concurrency / 4));
  return {
    history,
    ...records,
    signals,
    sent: network.sent,
    publishes,
    events,
    deliveries,
    endpoints,
    perAccount,
    ...(childUntil === undefined ? {} : { childUntil }),
  };
};
