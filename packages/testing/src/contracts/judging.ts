import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import {
  type ClaimedDelivery,
  day,
  disablesAfter,
  type EndpointState,
  type EndpointTurn,
  type EpochMs,
  type Health,
  hour,
  judge,
  minute,
  roomFor,
  type SendOutcome,
  type Settlement,
  second,
  type Turn,
} from '@partnerkit/core';
import { createPrng, type Prng } from '../simulator/prng.ts';
import { type Cases, whateverTheClocks } from './contract.ts';
import { endpoint, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { answered, dispatchAll, events, publish, want } from './world.ts';

/** Nothing that failed comes again: what is due is what was never attempted. */
const never = { retryIn: 3_650 * day };
const schedule = Array.from({ length: 9 }, () => never.retryIn);
const lease = 3 * minute;
const steps = 40;
const waits = [second, 20 * second, 70 * second, 6 * minute, 16 * minute, 2 * hour, 25 * hour, 3 * day];

/** An endpoint as core would have it. */
interface Model {
  readonly accountId: string;
  readonly id: string;
  state: EndpointState;
  health: Health | undefined;
  /** Deliveries that were never attempted, and are under no lease. */
  fresh: number;
  unfinished: number;
}

interface Held extends ClaimedDelivery {
  readonly of: Model;
  readonly until: EpochMs;
}

const pick = <T>(prng: Prng, items: readonly T[]): T => items[prng.below(items.length)] as T;

/** Of each ten settlements so many fail, are exhausted, ask to be left alone, or say something else. */
const draw = (prng: Prng, mood: number): Pick<Settlement, 'outcome' | 'next' | 'pauseFor'> => {
  if (prng.chance(mood)) return { outcome: answered(pick(prng, [200, 204])), next: 'delivered' };
  const failed = (reason: Extract<SendOutcome, { kind: 'failed' }>['reason']) =>
    ({ kind: 'failed', reason, took: 3 }) as const;
  const drawn = prng.below(12);
  if (drawn === 0) return { outcome: failed('internal'), next: never };
  if (drawn < 3) return { outcome: answered(500), next: 'exhausted' };
  if (drawn < 5)
    return { outcome: answered(429), next: never, pauseFor: pick(prng, [second, 90 * second, 3 * hour, day]) };
  if (drawn === 5 && prng.chance(0.3)) return { outcome: answered(410), next: 'gone' };
  return { outcome: pick(prng, [answered(302), answered(503), failed('timeout'), failed('dns')]), next: never };
};

/** Does what may be done to a few endpoints, and finds each claim and each turn as core has it. */
const live = async ({ storage, elapse, storeNow }: StorageFixture, seed: number): Promise<ReadonlySet<string>> => {
  const prng = createPrng(seed);
  const { endpoints, queue } = storage;
  const models: Model[] = [];
  const seen = new Set<string>();
  let held: Held[] = [];
  const settled: Settlement[] = [];
  const mood = pick(prng, [0, 0.02, 0.1, 0.5]);
  for (const accountId of [ours, ours, theirs]) {
    const own = endpoint({ accountId });
    await endpoints.insertEndpoint(own, 1_000);
    models.push({ accountId, id: own.id, state: 'enabled', health: undefined, fresh: 0, unfinished: 0 });
  }

  /** A store's own clock runs on: nothing is asked of it in the moment in which something ends. */
  const quietNow = async (): Promise<EpochMs> => {
    for (;;) {
      const now = await storeNow();
      const ends = [
        ...held.map(({ until }) => until),
        ...models.flatMap(({ health }) =>
          health ? [health.openUntil, health.askedUntil, health.since + disablesAfter.failing] : [],
        ),
      ];
      if (ends.every((end) => Math.abs(end - now) > slack)) return now;
      await elapse(2 * slack);
    }
  };

  const deliver = async (accountId: string): Promise<void> => {
    const count = 10 + prng.below(10);
    await publish(storage, events(count, { accountId }));
    await dispatchAll(storage);
    for (const model of models) {
      if (model.accountId !== accountId || model.state === 'disabled') continue;
      model.fresh += count;
      model.unfinished += count;
    }
  };

  const claim = async (): Promise<void> => {
    const perEndpoint = 1 + prng.below(8);
    const now = await quietNow();
    const { claimed, abandoned } = await queue.claim(want({ perEndpoint, lease, schedule }));
    held = held.filter(
      ({ deliveryId, attempt }) =>
        !abandoned.some((each) => each.deliveryId === deliveryId && each.attempt === attempt),
    );
    for (const model of models) {
      const living = held.filter(({ of, until }) => of === model && until > now).length;
      const room = model.state === 'enabled' ? roomFor(model.health, living, perEndpoint, now) : 0;
      const mine = claimed.filter((each) => each.endpoint.id === model.id);
      strictEqual(mine.length, Math.min(room, model.fresh), 'as many are claimed as there is room for');
      model.fresh -= mine.length;
      held.push(...mine.map((each) => ({ ...each, of: model, until: now + lease })));
    }
  };

  const settle = async (): Promise<void> => {
    const now = await quietNow();
    const batch = held.filter(() => prng.chance(0.6));
    const settlements = batch.map(({ deliveryId, lease: token }) => ({
      deliveryId,
      lease: token,
      ...draw(prng, mood),
    }));
    const again = prng.chance(0.2) && settled.length > 0 ? [pick(prng, settled)] : [];
    held = held.filter((each) => !batch.includes(each));
    settled.push(...settlements);
    const turns: (Turn & Pick<EndpointTurn, 'accountId' | 'endpointId'>)[] = [];
    for (const [index, { of }] of batch.entries()) {
      const settlement = settlements[index] as Settlement;
      if (settlement.next === 'gone') of.fresh++;
      else if (typeof settlement.next === 'string') of.unfinished--;
      if (of.state !== 'enabled') continue;
      const { health, turn } = judge(of.health, settlement, now);
      of.health = health;
      if (turn) turns.push({ ...turn, accountId: of.accountId, endpointId: of.id });
      if (turn?.kind === 'endpoint_disabled') of.state = 'disabled_by_breaker';
    }
    const told = await queue.settle([...again, ...settlements]);
    for (const { id, unfinished } of models) {
      const own = told.filter(({ endpointId }) => endpointId === id);
      const expected = turns.filter(({ endpointId }) => endpointId === id);
      deepStrictEqual(
        own.map(({ failingFor: _roughly, ...turn }) => turn),
        expected.map(({ failingFor: _roughly, ...turn }) => ({ ...turn, unfinished })),
      );
      for (const [index, { kind, failingFor }] of own.entries()) {
        seen.add(kind);
        ok(Math.abs(failingFor - (expected[index]?.failingFor ?? 0)) <= slack, `it failed for ${failingFor} ms`);
      }
    }
    strictEqual(told.length, turns.length);
  };

  const release = async (): Promise<void> => {
    const now = await quietNow();
    const batch = held.filter(({ until }) => until > now && prng.chance(0.5));
    await queue.release(batch);
    held = held.filter((each) => !batch.includes(each));
    for (const { of } of batch) of.fresh++;
  };

  const change = async (): Promise<void> => {
    const model = pick(prng, models);
    const stored = await endpoints.findEndpoint(model.accountId, model.id);
    strictEqual(stored?.state, model.state);
    const state = model.state === 'enabled' ? pick(prng, ['enabled', 'disabled'] as const) : 'enabled';
    strictEqual(await endpoints.replaceEndpoint({ ...stored, state }), true);
    if (state !== model.state) model.health = undefined;
    model.state = state;
  };

  for (let step = 0; step < steps; step++) {
    for (const accountId of [ours, theirs])
      if (models.some((model) => model.accountId === accountId && model.fresh < 10)) await deliver(accountId);
    const drawn = prng.below(20);
    if (drawn < 7) await claim();
    else if (drawn < 13) await settle();
    else if (drawn < 18) await elapse(pick(prng, waits));
    else if (drawn < 19) await release();
    else await change();
  }
  for (const { accountId, id } of models) await endpoints.deleteEndpoint(accountId, id);
  return seen;
};

/** Lives so many lives, each of its own seed. @internal */
export const lives =
  (count: number) =>
  async (fixture: StorageFixture): Promise<void> => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= count; seed++) {
      try {
        for (const kind of await live(fixture, seed)) seen.add(kind);
      } catch (cause) {
        if (cause instanceof Error) cause.message = `life ${seed}: ${cause.message}`;
        throw cause;
      }
    }
    deepStrictEqual([...seen].toSorted(), ['endpoint_disabled', 'endpoint_failing', 'endpoint_recovered']);
  };

/** That a store judges as core does, whatever happens. @internal */
export const judgingCases: Cases<StorageFixture> = {
  'whatever settles and whenever, endpoints turn and are leased as core has it': lives(30),
  ...whateverTheClocks('whatever settles and whenever', lives(10)),
};
