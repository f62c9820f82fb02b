import { fileURLToPath } from 'node:url';
import { createPartnerkit, minute, second } from '@partnerkit/core';
import { memoryAccessTokens } from '@partnerkit/core/memory';
import {
  createRequests,
  type PaymentRequest,
  type RequestMachine,
  requestMachines,
  requestObjects,
  type SecurityDeposit,
} from '@partnerkit/core/requests';
import { dedupKey, type Envelope, parseEnvelope } from '@partnerkit/core/wire';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { createPrng } from '../../../conformance/src/simulator/prng.ts';
import { kinds } from '../../../core/src/requests/kinds/all.ts';
import { postgresStorage } from '../../src/index.ts';
import { names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { brokenLaws } from '../support/invariants.ts';
import { urlOf } from '../support/kit.ts';
import { type PlainPost, plainSender, startPlainReceiver } from '../support/plain-sender.ts';
import { isDone } from '../support/progress.ts';
import { openHerd } from '../support/worker-herd.ts';

const database = useDatabase(inject('postgres'));
const prng = createPrng(20_251_121);
const pick = <T>(items: readonly T[]): T => items[prng.below(items.length)] as T;

const accounts = ['acc_1', 'acc_2'].map((id) => ({ id, environment: 'prod' }));
/** Each account has two partners' endpoints, and each of them is to learn everything. */
const endpoints = accounts.flatMap((account) => names(2, `${account.id}-`).map((name) => ({ account, name })));
const ofEachKind = 25;
/** On each object so many at once give commands, one after the other. */
const [givers, commands] = [4, 5];
const workers = sized(2, 4);
const kills = sized(5, 8);
/** Few enough that all are killed while there is something to send. */
const mostBetweenKills = 80;

const { payments: paymentMachine, deposits: depositMachine, cashOuts: cashOutMachine } = requestMachines;
const machines = [paymentMachine, depositMachine, cashOutMachine];
const types = [...new Set(machines.flatMap((machine) => Object.values(machine.commands).map(({ event }) => event)))];

const alone = { tx: 'new' } as const;
const asked = { name: 'Stay', currency: 'EUR', recipient: { email: 'guest@example.com' } };
const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

const open = () => {
  const storage = postgresStorage(database.pool());
  const kit = createPartnerkit({
    accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
    storage,
    tokens: memoryAccessTokens(),
    sender: { send: (post) => sender.send(post) },
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }],
    objects: requestObjects,
  });
  let sender = plainSender(0);
  return {
    kit,
    sendTo: (port: number): void => {
      sender = plainSender(port);
      onTestFinished(sender.close);
    },
    ...createRequests({ kit }),
  };
};
type World = ReturnType<typeof open>;

let amounts = 0;
/** Another one each time, and never the first one: a change to the same amount is no change, and has no version. */
const newAmount = (): number => 1 + amounts++ / 100;

/** An object, and how to give it one command that may be any. It tells whether it was obeyed. */
interface Managed {
  readonly id: string;
  give(): Promise<boolean>;
  /** How often it was changed, counted from 1, and what partners see of it. */
  now(): Promise<{ readonly version: number; readonly data: object }>;
}

const newPayment = async ({ payments }: World, owner: (typeof accounts)[number]): Promise<Managed> => {
  const { id } = (await payments.create(owner.id, { ...asked, amount: 0.5 }, alone))._unsafeUnwrap();
  const find = async (): Promise<PaymentRequest> => (await payments.find(owner.id, id))._unsafeUnwrap();
  return {
    id,
    give: async () => {
      const change = { amount: newAmount() };
      const done = await (prng.chance(0.7)
        ? payments.perform(owner.id, id, 'change', { input: change, ...alone })
        : payments.perform(owner.id, id, prng.chance(0.95) ? 'failTransaction' : pick(['succeed', 'cancel']), alone));
      return done.isOk();
    },
    now: async () => {
      const payment = await find();
      return { version: payment.version, data: kinds.payments.show(payment) };
    },
  };
};

const newDeposit = async ({ deposits, cashOuts }: World, owner: (typeof accounts)[number]): Promise<Managed> => {
  const { id } = (await deposits.create(owner.id, { ...asked, depositAmount: 500 }, alone))._unsafeUnwrap();
  (await deposits.perform(owner.id, id, 'succeedDeposit', alone))._unsafeUnwrap();
  const find = async (): Promise<SecurityDeposit> => (await deposits.find(owner.id, id))._unsafeUnwrap();
  const onDeposit = ['succeedTransaction', 'failTransaction', 'checkIn', 'checkOut', 'finish'] as const;
  const onCashOut = ['claim', 'deny', 'accept', 'escrow', 'complete', 'fail', 'cancel'] as const;
  const versionOf = async (cashOutId: string): Promise<number | undefined> =>
    (await cashOuts.find(owner.id, cashOutId)).map(({ version }) => version).unwrapOr(undefined);
  return {
    id,
    give: async () => {
      const chance = prng.below(10);
      const amount = newAmount();
      if (chance < 3) return (await deposits.perform(owner.id, id, pick(onDeposit), alone)).isOk();
      if (chance < 5) return (await cashOuts.create(owner.id, { depositId: id, amount }, alone)).isOk();
      const { id: cashOutId = '' } = pick((await find()).cashOuts) ?? {};
      const done = await (chance < 6
        ? cashOuts.perform(owner.id, cashOutId, pick(['offer', 'settle'] as const), { input: { amount }, ...alone })
        : cashOuts.perform(owner.id, cashOutId, pick(onCashOut), { ...alone, ifVersion: await versionOf(cashOutId) }));
      return done.isOk();
    },
    now: async () => {
      const deposit = await find();
      return { version: deposit.version, data: kinds.deposits.show(deposit) };
    },
  };
};

/** What a receiver that deduplicates knows of each object, by the timestamps of its events. */
const toldTo = (name: string, posts: readonly PlainPost[]): ReadonlyMap<string, readonly Envelope[]> => {
  const arrived = posts.filter(({ path }) => urlOf(path.slice(1)) === urlOf(name));
  const envelopes = arrived.map(({ body }) => parseEnvelope(body) ?? expect.unreachable(body));
  const once = new Map(envelopes.map((envelope) => [dedupKey(envelope), envelope]));
  return Map.groupBy(
    [...once.values()].sort((a, b) => a.timestamp - b.timestamp),
    ({ data }) => data.id,
  );
};

interface ShownCashOut {
  readonly id: string;
  readonly status: string;
}
/** What an event says of an object. */
interface Shown {
  readonly status: string;
  readonly cashOuts?: readonly ShownCashOut[];
  /** The one that the event is about. */
  readonly cashOut?: ShownCashOut;
}

const isCommand = ({ commands }: RequestMachine, type: string, before: string | undefined, after: string): boolean =>
  Object.values(commands).some(
    ({ event, from, to }) =>
      event === type &&
      (before === undefined ? from.length === 0 : from.includes(before)) &&
      [to ?? before].flat().includes(after),
  );

/** Whether one command leads from what one event said to what the next one says: nothing that was told is lost. */
const isStep = (type: string, before: Shown | undefined, after: Shown): boolean => {
  const known = before?.cashOuts ?? [];
  const shown = after.cashOuts ?? [];
  const knownAs = (id: string) => known.find((each) => each.id === id);
  const changed = shown.filter((each) => JSON.stringify(each) !== JSON.stringify(knownAs(each.id)));
  const { cashOut } = after;
  if (changed.some(({ id }) => id !== cashOut?.id)) return false;
  if (known.some(({ id }) => shown.every((each) => each.id !== id))) return false;
  if (!cashOut) return isCommand(after.cashOuts ? depositMachine : paymentMachine, type, before?.status, after.status);
  return (
    after.status === before?.status && isCommand(cashOutMachine, type, knownAs(cashOut.id)?.status, cashOut.status)
  );
};

/** Whether a rule published it, after a command on a cash-out. Nobody gives these commands of a deposit here. */
const isByRule = (type: string, { cashOuts, cashOut }: Shown): boolean =>
  cashOuts !== undefined && cashOut === undefined && ['litigation', 'update'].includes(type);

test('a thousand concurrent commands: deduplicated events, ordered by timestamp, yield the stored objects', async () => {
  const world = open();
  const posts: PlainPost[] = [];
  let killAt = 1 + prng.below(mostBetweenKills);
  const receiver = await startPlainReceiver((post) => {
    posts.push(post);
    if (posts.length < killAt || herd.killed.size === kills) return;
    killAt += 1 + prng.below(mostBetweenKills);
    herd.replaceOldest();
  });
  onTestFinished(receiver.close);
  world.sendTo(receiver.port);
  for (const { account, name } of endpoints)
    (await world.kit.endpoints.create(account.id, { url: urlOf(name), events: types }))._unsafeUnwrap();
  const herd = openHerd(script, [database.url(), String(receiver.port)]);
  for (const _ of names(workers)) herd.start();

  const objects = await Promise.all(
    names(ofEachKind).flatMap((_, place) =>
      [newPayment, newDeposit].map(async (make) => {
        const account = accounts[place % accounts.length] as (typeof accounts)[number];
        return { account, ...(await make(world, account)) };
      }),
    ),
  );
  const versions = new Map(await Promise.all(objects.map(async ({ id, now }) => [id, (await now()).version] as const)));
  let obeyed = 0;
  const giveAll = async ({ id, give }: Managed): Promise<void> => {
    for (const _ of names(commands)) {
      if (!(await give())) continue;
      versions.set(id, (versions.get(id) ?? 0) + 1);
      obeyed++;
    }
  };
  await Promise.all(objects.flatMap((object) => names(givers).map(() => giveAll(object))));
  const allKilled = async (): Promise<boolean> => {
    // Retries become due.
    await database.elapse(second);
    return herd.killed.size === kills;
  };
  await vi.waitUntil(allKilled, { timeout: 240_000, interval: 50 });
  expect(new Set(await herd.stop())).toEqual(new Set([0]));
  for (const worker = world.kit.worker(); !(await isDone(database.pool())); await database.elapse(minute))
    await worker.drain();
  expect(await brokenLaws(database.pool(), posts)).toEqual([]);
  expect(obeyed).toBeGreaterThan(250);
  expect(new Set(posts.map(({ path, body }) => `${path} ${body}`)).size).toBeLessThan(posts.length);

  for (const { account, name } of endpoints) {
    const told = toldTo(name, posts);
    const mine = objects.filter((object) => object.account === account);
    expect(new Set(told.keys())).toEqual(new Set(mine.map(({ id }) => id)));
    for (const { id, now } of mine) {
      const events = told.get(id) ?? [];
      const { version, data } = await now();
      const shown = events.map((event) => event.data as unknown as Shown);
      const { cashOut: _about, ...last } = shown.at(-1) ?? expect.unreachable('no event');
      expect(last).toEqual(data);
      expect(events.filter(({ type }, place) => !isStep(type, shown[place - 1], shown[place] as Shown))).toEqual([]);
      expect(version).toBe(versions.get(id));
      // A denial that leads to litigation is one command with two events.
      expect(events.filter(({ type }, nth) => !isByRule(type, shown[nth] as Shown))).toHaveLength(version);
    }
  }
});
