import type { Api, Page } from './api.ts';
import type { Attempt, Delivery, Endpoint, Explanation } from './portal.ts';

/** Maximum number of deliveries whose attempts are read for one endpoint. */
const maxDeliveries = 3;
const pageSize = 50;

/** What an endpoint has not received. @internal */
export interface Unfinished {
  readonly count: number;
  /** There are more. */
  readonly isMore: boolean;
  /** The newest failed attempt since the endpoint fails, and its delivery. */
  readonly failure?: { readonly attempt: Attempt; readonly delivery: Delivery };
  /** When the next attempt is due, in seconds. */
  readonly dueAt?: number;
}

/** @internal */
export const isFailed = (attempt: Attempt): boolean =>
  attempt.kind === 'failed' || attempt.status < 200 || attempt.status >= 300;

/** When a delivery is attempted again. `undefined`: it is not known, or it is not. */
const readDue = async (
  api: Api,
  { eventId, endpointId }: Delivery,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const path = ['events', eventId, 'explanations', endpointId];
  const { body } = await api.call<Explanation>('GET', path, { signal });
  return body.kind === 'waiting' ? body.dueAt : undefined;
};

/**
 * What an endpoint that fails has not received, and why, from its oldest unfinished deliveries. `undefined` for another
 * endpoint, and when it cannot be read: the health itself is known, and this is read again with it.
 * @internal
 */
export const readUnfinished = async (
  api: Api,
  { id: endpointId, health }: Endpoint,
  signal: AbortSignal,
): Promise<Unfinished | undefined> => {
  const { status, failingSince = 0, disabledBy, pausedUntil } = health;
  if (status === 'delivering' || (status === 'disabled' && disabledBy !== 'failing')) return undefined;
  const attemptsOf = async (delivery: Delivery) =>
    (await api.call<Page<Attempt>>('GET', ['deliveries', delivery.id, 'attempts'], { signal })).body.items.map(
      (attempt) => ({ attempt, delivery }),
    );
  try {
    const query = { endpointId, state: status === 'disabled' ? 'held' : 'waiting', limit: pageSize };
    const { items, next } = (await api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal })).body;
    const attempted = items.filter(({ attempts }) => attempts > 0).slice(0, maxDeliveries);
    const failed = (await Promise.all(attempted.map(attemptsOf)))
      .flat()
      .filter(({ attempt }) => isFailed(attempt) && attempt.at >= failingSince);
    const [failure] = failed.toSorted((a, b) => b.attempt.at - a.attempt.at);
    const dueAt =
      status === 'failing' && failure
        ? await readDue(api, failure.delivery, signal)
        : status === 'paused'
          ? pausedUntil
          : undefined;
    return {
      count: items.length,
      isMore: next !== undefined,
      ...(failure ? { failure } : {}),
      ...(dueAt === undefined ? {} : { dueAt }),
    };
  } catch {
    return undefined;
  }
};
