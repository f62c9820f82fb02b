import type { DurationMs } from '@partnerkit/core';
import { type LatestTimestamps, wrongAnswer } from '@partnerkit/core/adapter';
import { dedupKey, type Envelope } from '@partnerkit/core/wire';

/**
 * Marks the event of a handler in the transaction of the handler, with `order: 'latest'`. Resolves to `false` when the
 * event was processed before, or a newer one of its object was: then do nothing. Holds a lock on the object until the
 * transaction ends. Rejects when the store does, and when `tx` is no open transaction.
 * @example
 * const save: Handler<Received<string, string, UnknownData>, [markIn: MarkIn<PgClient>]> = ({ data }, markIn) =>
 *   db.transaction(async (client) => {
 *     if (await markIn(client)) await payments.save(client, data);
 *   });
 * @public
 */
export type MarkIn<Tx extends object> = (tx: Tx) => Promise<boolean>;

/**
 * Which events a receiver processes: each, or with `'latest'` none that is older than the newest processed one of its
 * object.
 * @public
 */
export type EventOrder = 'latest' | undefined;

/** The other arguments of a handler: with `'latest'`, {@link MarkIn}. @public */
export type MarkArguments<O extends EventOrder, Tx extends object> = O extends 'latest' ? [markIn: MarkIn<Tx>] : [];

/** Makes the {@link MarkIn} of an event. */
export type Marker = (event: Envelope) => MarkIn<object>;

type Store<M extends string> = LatestTimestamps<object> & {
  readonly [K in M]: (tx: object, key: string, keep?: DurationMs) => Promise<boolean>;
};

const asBoolean = (answer: unknown, port: string): boolean => {
  if (typeof answer !== 'boolean') throw wrongAnswer(port, 'true or false');
  return answer;
};

/**
 * The marker of `order: 'latest'`; `undefined` without an order.
 * @param mark - The method of the store that marks a key.
 * @throws TypeError when the order is unknown, or the store cannot join the handler's transaction.
 */
export const markerOf = <M extends string>(
  order: unknown,
  store: object,
  mark: M,
  keep: DurationMs | undefined,
): Marker | undefined => {
  if (order === undefined) return undefined;
  if (order !== 'latest') throw new TypeError("order: 'latest', or none.");
  const latest = store as Store<M>;
  if (!latest.advanceIn || !latest[mark])
    throw new TypeError("order: needs a store that joins the handler's transaction, such as postgresSeenKeys(pool).");
  return (event) => async (tx) =>
    // The lock of the object comes first: the decision about the key is of the transaction that holds it.
    asBoolean(
      await latest.advanceIn(tx, JSON.stringify([event.objectName, event.data.id]), event.timestamp, keep),
      'advanceIn',
    ) && asBoolean(await latest[mark](tx, dedupKey(event), keep), mark);
};

/**
 * Runs a handler with its {@link MarkIn}.
 * @throws TypeError when the handler succeeded without it: its effect would depend on the order of arrival.
 */
export const runMarked = async (run: (markIn: MarkIn<object>) => unknown, markIn: MarkIn<object>): Promise<void> => {
  let isMarked = false;
  await run(async (tx) => {
    const answer = await markIn(tx);
    isMarked = true;
    return answer;
  });
  if (!isMarked) throw new TypeError('order: a handler must await markIn(tx).');
};
