import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { SendOutcome } from '@partnerkit/core/adapter';
import { type Key, keyText } from '../delivery-key.ts';
import { endpointAt } from '../network.ts';
import type { Call, PublishedEvent, SentPost, Trace } from '../trace.ts';
import type { Dispatch } from './dispatch.ts';
import type { EndpointVersion } from './endpoint-versions.ts';
import { type Replays, readReplays } from './replays.ts';

/** A logged attempt of a delivery. */
export interface LogRow {
  readonly number: number;
  readonly outcome: SendOutcome;
  readonly state?: 'delivered' | 'exhausted' | 'expired';
  readonly process: string;
  /** When the settlement was sent, and when it took effect. */
  readonly sentAt: EpochMs;
  readonly at: EpochMs;
  readonly order: number;
  /** When its settlement last took effect: the result of the first may have been lost. */
  lastAt: EpochMs;
  /** The POST of the attempt. */
  post?: SentPost;
}

/** A delivery, reconstructed from its POSTs and settlements. */
export interface DeliveryRecord extends Key {
  readonly id: string;
  createdAt: EpochMs;
  createdOrder: number;
  readonly rows: LogRow[];
  /** In order of time, including those that were never settled. */
  readonly posts: SentPost[];
}

/** A POST without a delivery. */
interface Stray {
  readonly post: SentPost;
}

export interface Ledger {
  /** Committed events, by their number. */
  readonly committed: ReadonlyMap<number, PublishedEvent>;
  /** By account and event. */
  readonly dispatches: ReadonlyMap<string, Dispatch>;
  readonly deliveries: ReadonlyMap<string, DeliveryRecord>;
  readonly strays: readonly Stray[];
  readonly replays: Replays;
  /** The committed event of an id. */
  readonly publishedAs: (eventId: string) => PublishedEvent | undefined;
  readonly deliveryOf: (post: SentPost) => DeliveryRecord | undefined;
}

const dispatchKey = (accountId: string, eventId: string): string => `${accountId} ${eventId}`;

/** Whether an attempt with this outcome counts towards exhaustion. */
export const counts = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered'
    ? outcome.status !== 410
    : outcome.reason !== 'abandoned' && outcome.reason !== 'out_of_reach';

/** Whether nothing was sent, or nobody knows. */
export const isUnsent = (outcome: SendOutcome): boolean =>
  outcome.kind === 'failed' && ['abandoned', 'internal', 'out_of_reach'].includes(outcome.reason);

/** The events that a call dispatched, or had dispatched before. */
const dispatchedBy = (call: Call) => {
  if (call.name === 'deliveries.dispatch' && call.result === 'stored') {
    const [, events, , notBefore] = (call as Call<'deliveries.dispatch'>).args;
    return events.map((each) => ({ ...each, notBefore, isAnnounced: false }));
  }
  if (call.name !== 'deliveries.dispatchAnnounced') return [];
  const { args, result } = call as Call<'deliveries.dispatchAnnounced'>;
  if (result === undefined || result === 'fenced') return [];
  const [, planned, notBefore] = args;
  return result.flatMap((event) => {
    const plan = planned.find((each) => each.event.id === event.id && each.event.accountId === event.accountId);
    return plan ? [{ ...plan, event, notBefore, propagates: false, isAnnounced: true }] : [];
  });
};

const readDispatches = (effects: readonly Call[]): Map<string, Dispatch> => {
  const dispatches = new Map<string, Dispatch>();
  for (const call of effects) {
    for (const { event, timestamp, endpointIds, propagates, notBefore, isAnnounced } of dispatchedBy(call)) {
      const key = dispatchKey(event.accountId, event.id);
      if (dispatches.has(key)) continue;
      const storeTime = call.storeTime ?? 0;
      dispatches.set(key, {
        ...{ event, accountId: event.accountId, timestamp, endpointIds, propagates, isAnnounced },
        ...{ process: call.process, sentAt: call.sentAt, at: call.effectAt ?? 0, order: call.order ?? 0 },
        ...{ storeTime, dispatchedAt: Math.max(storeTime, notBefore) },
      });
    }
  }
  return dispatches;
};

const bodyNumber = (body: string): number => {
  const { data }: { readonly data: { readonly n: number } } = JSON.parse(body);
  return data.n;
};

/** Assigns POSTs and settlements to their deliveries. */
export const readLedger = (
  trace: Trace,
  effects: readonly Call[],
  endpoints: ReadonlyMap<string, readonly EndpointVersion[]>,
): Ledger => {
  const { history, posts, published, endpointIds, accountIds } = trace;
  const committed = new Map<number, PublishedEvent>();
  const byId = new Map<string, PublishedEvent>();
  for (const event of published) {
    if (event.committedAt === undefined) continue;
    committed.set(event.n, event);
    if (event.eventId !== undefined) byId.set(event.eventId, event);
  }
  const dispatches = readDispatches(effects);
  const deliveries = new Map<string, DeliveryRecord>();
  const replaysOf = new Map<string, DeliveryRecord[]>();
  const owners = new Map<SentPost, DeliveryRecord>();
  const strays: Stray[] = [];

  const record = (key: Key): DeliveryRecord => {
    const text = keyText(key);
    const known = deliveries.get(text);
    if (known) return known;
    const { accountId, eventId, endpointId, replay } = key;
    const dispatch = dispatches.get(dispatchKey(accountId, eventId));
    const made: DeliveryRecord = {
      ...{ accountId, eventId, endpointId, replay, id: text, rows: [], posts: [] },
      ...{ createdAt: dispatch?.at ?? 0, createdOrder: dispatch?.order ?? 0 },
    };
    deliveries.set(text, made);
    const first = keyText({ ...key, replay: 0 });
    const others = replaysOf.get(first);
    if (others) others.push(made);
    else replaysOf.set(first, [made]);
    return made;
  };

  for (const { accountId, event, endpointIds: to } of dispatches.values())
    for (const endpointId of to) record({ accountId, eventId: event.id, endpointId, replay: 0 });

  for (const call of effects) {
    if (call.name !== 'deliveries.settle' || call.result === undefined || call.result === 'fenced') continue;
    const [, { attempts }] = (call as Call<'deliveries.settle'>).args;
    for (const { number, outcome, state, ...key } of attempts) {
      const { rows } = record(key);
      const known = rows.find((row) => row.number === number);
      if (known) {
        known.lastAt = call.effectAt ?? 0;
        continue;
      }
      rows.push({
        lastAt: call.effectAt ?? 0,
        ...{ number, outcome, process: call.process, sentAt: call.sentAt },
        ...{ at: call.effectAt ?? 0, order: call.order ?? 0, ...(state === undefined ? {} : { state }) },
      });
    }
  }

  const replays = readReplays({
    ...{ trace, effects, dispatches: [...dispatches.values()], endpoints },
    finishedAt: (key) => deliveries.get(keyText(key))?.rows.find(({ state }) => state !== undefined)?.order,
  });
  for (const { key, at, order } of replays.made.values())
    Object.assign(record(key), { createdAt: at, createdOrder: order });

  // Each POST by its event and endpoint, then by the settlement of its process.
  const tripleOf = (post: SentPost): Key | undefined => {
    const endpoint = endpointAt(post.url);
    const script = history.endpoints[endpoint];
    const event = committed.get(bodyNumber(post.body));
    const [endpointId, accountId] = [endpointIds[endpoint], accountIds[(script?.account ?? 0) % accountIds.length]];
    if (!event?.eventId || endpointId === undefined || accountId === undefined) return undefined;
    return { accountId, eventId: event.eventId, endpointId, replay: 0 };
  };
  const triples = new Map<string, { readonly key: Key; readonly posts: SentPost[] }>();
  for (const post of posts) {
    const key = tripleOf(post);
    if (!key) {
      strays.push({ post });
      continue;
    }
    const triple = triples.get(keyText(key)) ?? { key, posts: [] };
    triples.set(keyText(key), triple);
    triple.posts.push(post);
  }
  for (const [triple, { key, posts: sent }] of triples) {
    const all = replaysOf.get(triple) ?? [];
    const rows = all
      .flatMap((delivery) => delivery.rows.map((row) => ({ delivery, row })))
      .filter(
        ({ row }) => row.outcome.kind === 'answered' || !['abandoned', 'out_of_reach'].includes(row.outcome.reason),
      )
      .sort((a, b) => a.row.order - b.row.order || a.row.number - b.row.number);
    for (const { delivery, row } of rows) {
      // A row with `internal` may have no POST. It is the last one before: an earlier one may never have been settled.
      const post = sent.findLast(
        (each) =>
          !owners.has(each) &&
          each.process === row.process &&
          each.at <= row.sentAt &&
          fits(each, row.outcome, row.sentAt),
      );
      if (!post) continue;
      row.post = post;
      owners.set(post, delivery);
    }
    for (const post of sent) {
      // A POST that was never settled belongs to the delivery that was unfinished then, or repeats the last one.
      const before = all
        .filter(({ createdOrder }) => createdOrder < post.order)
        .toSorted((a, b) => a.replay - b.replay);
      const owner =
        owners.get(post) ??
        before.find(({ rows: logged }) => !logged.some(({ state, at }) => state !== undefined && at < post.at)) ??
        (!replays.isKnown(key.endpointId) && replays.callsTo(key.endpointId).some(({ order }) => order < post.order)
          ? record({ ...key, replay: Math.max(0, ...all.map(({ replay }) => replay)) + 1 })
          : before.at(-1));
      if (!owner) {
        strays.push({ post });
        continue;
      }
      owners.set(post, owner);
      owner.posts.push(post);
    }
  }
  for (const delivery of deliveries.values()) {
    if (delivery.replay === 0 || replays.made.has(delivery.id)) continue;
    const began = Math.min(delivery.rows[0]?.order ?? Infinity, delivery.posts[0]?.order ?? Infinity);
    const created = replays.callsTo(delivery.endpointId).findLast(({ order }) => order < began);
    if (created) Object.assign(delivery, { createdAt: created.at, createdOrder: created.order });
  }
  return {
    committed,
    dispatches,
    deliveries,
    strays,
    replays,
    publishedAs: (eventId) => byId.get(eventId),
    deliveryOf: (post) => owners.get(post),
  };
};

/** Time after its deadline at which an attempt is abandoned, in milliseconds. */
const abandonedAfter: DurationMs = 4_000;

/**
 * Whether a row may be of a POST. The row of an abandoned POST has the outcome `internal` and lasted until the
 * deadline; an attempt that failed before its POST was shorter.
 */
const fits = (post: SentPost, outcome: SendOutcome, sentAt: EpochMs): boolean => {
  if (outcome.kind === 'failed' && outcome.reason === 'internal') {
    const wasAbandoned = (post.learnedAt ?? sentAt) - post.at >= post.deadline + abandonedAfter;
    return outcome.durationMs >= post.deadline && (wasAbandoned || post.outcome === undefined);
  }
  if (post.learnedAt === undefined || post.learnedAt > sentAt || !post.outcome) return false;
  if (outcome.kind === 'answered') return post.outcome.kind === 'answered' && post.outcome.status === outcome.status;
  return post.outcome.kind === 'failed' && post.outcome.reason === outcome.reason;
};
