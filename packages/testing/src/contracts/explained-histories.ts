import { deepStrictEqual, ok } from 'node:assert';
import {
  type ClaimedDelivery,
  type DisabledBy,
  type Endpoint,
  type EventType,
  explainFacts,
  hour,
  minute,
  type NewEvent,
} from '@partnerkit/core';
import { createPrng, type Prng } from '../simulator/prng.ts';
import { endpoint, event, newId, ours, theirs } from './records.ts';
import { child, childEvent, referAll } from './referral-world.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { answered, publish, want } from './world.ts';

/** What the model knows of one event for one endpoint. */
type Expected =
  | { kind: 'created_later' | 'deleted_before' | 'disabled_then' | 'children_not_included' | 'not_dispatched_yet' }
  | { kind: 'not_subscribed'; events: readonly EventType[] }
  | { kind: 'waiting' | 'being_attempted' | 'delivered' | 'exhausted'; attempts: number; status?: number }
  | { kind: 'held'; attempts: number; by: DisabledBy; status?: number }
  | { kind: 'expired'; attempts: number; why: string; status?: number };

interface Known {
  stored: Endpoint;
  by: DisabledBy;
  deleted: boolean;
  readonly explained: Map<string, Expected>;
}

interface Model {
  readonly endpoints: Known[];
  readonly events: NewEvent[];
  readonly pending: NewEvent[];
  /** Of the child: published, and waiting for its parent. */
  readonly ofChild: NewEvent[];
  readonly waiting: NewEvent[];
  readonly leased: ClaimedDelivery[];
}

const lasts = 500 * hour;
const types: readonly EventType[] = ['payed', 'cancel'];

const ofClaim = ({ endpoints }: Model, { endpoint: { id } }: ClaimedDelivery): Known => {
  const known = endpoints.find(({ stored }) => stored.id === id);
  ok(known, 'a delivery of an endpoint of this history');
  return known;
};

/** What is not being attempted and not finished follows its endpoint. */
const follow = ({ stored, by, deleted, explained }: Known): void => {
  for (const [id, each] of explained) {
    if (each.kind !== 'waiting' && each.kind !== 'held') continue;
    const { attempts, status } = each;
    const rest = { attempts, ...(status === undefined ? {} : { status }) };
    if (deleted) explained.set(id, { ...rest, kind: 'expired', why: 'endpoint_deleted' });
    else explained.set(id, stored.state === 'enabled' ? { ...rest, kind: 'waiting' } : { ...rest, kind: 'held', by });
  }
};

const living = (model: Model): readonly Known[] => model.endpoints.filter(({ deleted }) => !deleted);

type Act = (fixture: StorageFixture, model: Model, prng: Prng) => Promise<void>;

const one = <T>(items: readonly T[], prng: Prng): T | undefined => items[prng.below(items.length)];

const create: Act = async ({ storage }, model, prng) => {
  if (living(model).length >= 3) return;
  const stored = endpoint({
    accountId: ours,
    events: prng.chance(0.5) ? types : ['payed'],
    includeChildren: prng.chance(0.5),
  });
  await storage.endpoints.insertEndpoint(stored, 20);
  const explained = new Map<string, Expected>();
  for (const { id } of model.events)
    explained.set(id, { kind: model.pending.some((each) => each.id === id) ? 'not_dispatched_yet' : 'created_later' });
  model.endpoints.push({ stored, by: 'partner', deleted: false, explained });
};

const change =
  (to: (known: Known, prng: Prng) => Partial<Endpoint>): Act =>
  async ({ storage }, model, prng) => {
    const known = one(living(model), prng);
    if (!known) return;
    const next = { ...known.stored, ...to(known, prng) };
    ok(await storage.endpoints.replaceEndpoint(next));
    if (next.state === 'disabled' && known.stored.state !== 'disabled') known.by = 'partner';
    known.stored = { ...next, version: next.version + 1 };
    follow(known);
  };

const remove: Act = async ({ storage }, model, prng) => {
  const known = one(living(model), prng);
  if (!known) return;
  ok(await storage.endpoints.deleteEndpoint(ours, known.stored.id));
  known.deleted = true;
  follow(known);
};

/** From now on the account has it, and it waits for a dispatch. */
const pend = (model: Model, appended: NewEvent): void => {
  model.events.push(appended);
  model.pending.push(appended);
  for (const { explained } of model.endpoints) explained.set(appended.id, { kind: 'not_dispatched_yet' });
};

const publishOne: Act = async ({ storage }, model, prng) => {
  const published = event({ type: one(types, prng) ?? 'payed' });
  await publish(storage, [published]);
  pend(model, published);
};

const publishOfChild: Act = async ({ storage }, model, prng) => {
  const published = childEvent({ type: one(types, prng) ?? 'payed' });
  await publish(storage, [published]);
  model.ofChild.push(published);
};

const takeChildren = (model: Model): readonly Endpoint[] =>
  living(model)
    .map(({ stored }) => stored)
    .filter(({ includeChildren, state }) => includeChildren && state !== 'disabled');

const refer: Act = async ({ storage }, model) => {
  await referAll(storage);
  for (const waiting of model.waiting.splice(0))
    if (takeChildren(model).some(({ events }) => events.includes(waiting.type)))
      pend(model, { ...waiting, accountId: ours, origin: child });
};

const dispatch: Act = async ({ storage }, model) => {
  while ((await storage.queue.dispatch(want({ limit: 0 }))).events > 0);
  const ofChild = model.ofChild.splice(0);
  if (takeChildren(model).length > 0) model.waiting.push(...ofChild);
  for (const { id, type, origin } of model.pending.splice(0)) {
    for (const known of model.endpoints) {
      const { stored, deleted, by, explained } = known;
      if (deleted) explained.set(id, { kind: 'deleted_before' });
      else if (stored.state === 'disabled') explained.set(id, { kind: 'disabled_then' });
      else if (origin !== undefined && !stored.includeChildren) explained.set(id, { kind: 'children_not_included' });
      else if (!stored.events.includes(type)) explained.set(id, { kind: 'not_subscribed', events: stored.events });
      else if (stored.state === 'enabled') explained.set(id, { kind: 'waiting', attempts: 0 });
      else explained.set(id, { kind: 'held', attempts: 0, by });
    }
  }
};

const claim: Act = async ({ storage }, model) => {
  const { claimed } = await storage.queue.claim(want({ limit: 1, lease: lasts }));
  for (const each of claimed) {
    ofClaim(model, each).explained.set(each.event.id, {
      ...(ofClaim(model, each).explained.get(each.event.id) as { attempts: number }),
      kind: 'being_attempted',
    });
    model.leased.push(each);
  }
};

const settle: Act = async ({ storage }, model, prng) => {
  const claimed = model.leased.shift();
  if (!claimed) return;
  const known = ofClaim(model, claimed);
  const [next, status] = one(
    [
      ['delivered', 200],
      ['exhausted', 500],
      ['gone', 410],
      [{ retryIn: 0 }, 500],
    ] as const,
    prng,
  ) ?? ['delivered' as const, 200];
  await storage.queue.settle([{ ...claimed, outcome: answered(status), next }]);
  const attempts = claimed.attempt - (next === 'gone' ? 1 : 0);
  const finished = next === 'delivered' || next === 'exhausted';
  known.explained.set(claimed.event.id, { kind: finished ? next : 'waiting', attempts, status });
  if (next === 'gone' && !known.deleted && known.stored.state === 'enabled') {
    known.stored = { ...known.stored, state: 'disabled_by_breaker', version: known.stored.version + 1 };
    known.by = 'gone';
  }
  follow(known);
};

const acts: readonly Act[] = [
  create,
  change(() => ({ state: 'disabled' })),
  change(() => ({ state: 'enabled' })),
  change(() => ({ state: 'enabled' })),
  change((_known, prng) => ({ events: [one(types, prng) ?? 'payed'] })),
  change((_known, prng) => ({ includeChildren: prng.chance(0.5) })),
  change((_known, prng) => ({ label: `label ${prng.below(9)}` })),
  remove,
  publishOne,
  publishOne,
  publishOne,
  publishOfChild,
  publishOfChild,
  refer,
  refer,
  dispatch,
  dispatch,
  claim,
  claim,
  settle,
  settle,
  ({ elapse }) => elapse(minute),
];

/** What of an explanation the model knows. */
const known = (explanation: Record<string, unknown>) => {
  const { kind, attempts, by, why, events, last } = explanation;
  const status = (last as { status?: number } | undefined)?.status;
  const told = { kind, attempts, by, why, events, status };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
};

const assertExplained = async ({ storage: { log } }: StorageFixture, model: Model): Promise<void> => {
  for (const { stored, explained } of model.endpoints) {
    for (const [eventId, expected] of explained) {
      const found = explainFacts(await log.findFacts(ours, eventId, stored.id), stored.id);
      // An attempt tells of the one before it, too, which the model does not keep for ever.
      const told = found.isOk() ? known(found.value as unknown as Record<string, unknown>) : found.error;
      if ('attempts' in expected && expected.kind === 'being_attempted' && 'status' in told) delete told['status'];
      const { status, ...rest } = { status: undefined, ...expected };
      const withStatus = status === undefined || expected.kind === 'being_attempted' ? rest : { ...rest, status };
      deepStrictEqual(told, withStatus);
      const foreign = explainFacts(await log.findFacts(theirs, eventId, stored.id), stored.id);
      deepStrictEqual(foreign._unsafeUnwrapErr(), { code: 'no_such_event' });
    }
    deepStrictEqual(explainFacts(await log.findFacts(ours, newId(), stored.id), stored.id)._unsafeUnwrapErr(), {
      code: 'no_such_event',
    });
  }
};

/**
 * A random history on empty storage: after each of its acts, every event is explained for every endpoint as a model has it. Resolves to the
 * kinds of explanations that came.
 * @internal
 */
export const explainHistory = async (
  fixture: StorageFixture,
  seed: number,
  length = 40,
): Promise<ReadonlySet<string>> => {
  const kinds = new Set<string>();
  const prng = createPrng(seed);
  const model: Model = { endpoints: [], events: [], pending: [], ofChild: [], waiting: [], leased: [] };
  await create(fixture, model, prng);
  for (let step = 0; step < length; step++) {
    await (one(acts, prng) ?? dispatch)(fixture, model, prng);
    await assertExplained(fixture, model);
    for (const { explained } of model.endpoints) for (const { kind } of explained.values()) kinds.add(kind);
  }
  return kinds;
};
