import type { EpochMs } from '@partnerkit/core';
import { deliveryKey, type Key, keyText } from '../delivery-key.ts';
import type { Call, Trace } from '../trace.ts';
import type { Dispatch } from './dispatch.ts';
import type { EndpointVersion } from './endpoint-versions.ts';
import { selects } from './selects.ts';

/** A delivery of an operator, and its time. */
interface Replay {
  readonly key: Key;
  readonly at: EpochMs;
  readonly order: number;
}

/** The expected deliveries of `replay` and `sendAgain`. */
export interface Replays {
  /** By `keyText`. */
  readonly made: ReadonlyMap<string, Replay>;
  /**
   * Whether it is known which events of an endpoint were replayed: false from the call on after which some may have
   * been pruned.
   */
  readonly isKnown: (endpointId: string) => boolean;
  /** The first call with another result. */
  readonly wrong?: string;
  /** Calls that may have created deliveries of an endpoint. */
  readonly callsTo: (endpointId: string) => readonly { readonly at: EpochMs; readonly order: number }[];
}

export interface ReplaysDeps {
  readonly trace: Pick<Trace, 'startedAt' | 'history'>;
  readonly effects: readonly Call[];
  readonly dispatches: readonly Dispatch[];
  readonly endpoints: ReadonlyMap<string, readonly EndpointVersion[]>;
  /** When a delivery was finished: a position among effects. */
  readonly finishedAt: (key: Key) => number | undefined;
}

/** Repeats each replay, in the order of effects. */
export const readReplays = ({ trace, effects, dispatches, endpoints, finishedAt }: ReplaysDeps): Replays => {
  const { startedAt, history } = trace;
  const knownUntil = startedAt + history.retention.events / 2;
  const made = new Map<string, Replay>();
  /** Number of replays of an event to an endpoint. */
  const counts = new Map<string, number>();
  const unknown = new Set<string>();
  const calls = new Map<string, { readonly at: EpochMs; readonly order: number }[]>();
  let wrong: string | undefined;

  const first = (key: Key): string => keyText({ ...key, replay: 0 });

  const isOpen = (key: Key, order: number): boolean => (finishedAt(key) ?? Number.POSITIVE_INFINITY) > order;

  /** The unfinished delivery of an event to an endpoint. */
  const openOf = (dispatch: Dispatch, endpointId: string, order: number): Key | undefined => {
    const key = { accountId: dispatch.accountId, eventId: dispatch.event.id, endpointId };
    const replayed = counts.get(first({ ...key, replay: 0 })) ?? 0;
    for (let replay = replayed; replay > 0; replay--) if (isOpen({ ...key, replay }, order)) return { ...key, replay };
    return dispatch.endpointIds.includes(endpointId) && isOpen({ ...key, replay: 0 }, order)
      ? { ...key, replay: 0 }
      : undefined;
  };

  const make = (key: Key, { effectAt = 0, order = 0 }: Call): void => {
    counts.set(first(key), key.replay);
    made.set(keyText(key), { key, at: effectAt, order });
  };

  const endpointAt = (endpointId: string, order: number) =>
    endpoints.get(endpointId)?.findLast((version) => version.order < order)?.endpoint;

  const noteCall = (endpointId: string, { effectAt = 0, order = 0 }: Call): void => {
    calls.set(endpointId, [...(calls.get(endpointId) ?? []), { at: effectAt, order }]);
  };

  const replay = (call: Call<'log.replay'>): void => {
    const [accountId, endpointId, { after }] = call.args;
    const { result, order = 0 } = call;
    if (result?.kind !== 'replayed') return;
    noteCall(endpointId, call);
    // Only the storage knows which events a page of a long replay had.
    if (after !== undefined || result.next !== undefined) unknown.add(endpointId);
    if (unknown.has(endpointId)) return;
    const endpoint = endpointAt(endpointId, order);
    if (endpoint?.state !== 'enabled') {
      wrong ??= `endpoint ${endpointId} is not enabled, and was replayed to`;
      return;
    }
    const expected = dispatches.filter(
      ({ event, accountId: of, order: dispatched }) =>
        of === accountId &&
        dispatched < order &&
        event.onlyTo === undefined &&
        selects(endpoint, event) &&
        (event.origin === undefined || endpoint.includeChildren),
    );
    const wanted = expected.filter((dispatch) => !openOf(dispatch, endpointId, order));
    if (result.deliveries !== wanted.length)
      wrong ??= `${result.deliveries} events were replayed to endpoint ${endpointId}, and not ${wanted.length}`;
    for (const { event } of wanted) {
      const key = { accountId, eventId: event.id, endpointId, replay: 0 };
      make({ ...key, replay: (counts.get(first(key)) ?? 0) + 1 }, call);
    }
  };

  const sendAgain = (call: Call<'log.sendAgain'>): void => {
    const { args, result, order = 0 } = call;
    const [key] = args;
    const { accountId, eventId, endpointId } = key;
    if (result?.kind !== 'sent') return;
    noteCall(endpointId, call);
    const dispatch = dispatches.find((each) => each.accountId === accountId && each.event.id === eventId);
    if (unknown.has(endpointId) || !dispatch) return;
    const sent = deliveryKey(accountId, result.deliveryId);
    const open = openOf(dispatch, endpointId, order);
    const expected = open ?? { ...key, replay: (counts.get(first(key)) ?? 0) + 1 };
    if (keyText(sent) !== keyText(expected) || (open && open.replay !== key.replay))
      wrong ??= `delivery ${keyText(key)} was sent again as ${keyText(sent)}, and not as ${keyText(expected)}`;
    if (!open) make(sent, call);
  };

  const relive = (call: Call): void => {
    if ((call.effectAt ?? 0) > knownUntil) for (const endpointId of endpoints.keys()) unknown.add(endpointId);
    if (call.name === 'log.replay') replay(call as Call<'log.replay'>);
    else if (call.name === 'log.sendAgain') sendAgain(call as Call<'log.sendAgain'>);
    else if (call.name === 'log.prune')
      for (const { endpointId } of (call as Call<'log.prune'>).result?.expired ?? []) unknown.add(endpointId);
  };

  for (const call of effects) relive(call);
  return {
    made,
    isKnown: (endpointId) => !unknown.has(endpointId),
    callsTo: (endpointId) => calls.get(endpointId) ?? [],
    ...(wrong === undefined ? {} : { wrong }),
  };
};
