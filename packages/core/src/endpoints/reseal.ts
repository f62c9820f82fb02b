import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { changeStored } from '../runtime/change-stored.ts';
import { type InvalidCursor, readPage } from '../runtime/cursor.ts';
import type { PageRequest } from '../runtime/page.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { EndpointSealer } from './webhook-secret.ts';

/**
 * One step of sealing anew.
 * @public
 */
export interface Resealed {
  /** How many endpoints were sealed with the first key in this step. */
  readonly resealed: number;
  /**
   * Endpoints that stay as they are, because a value does not open: its key is missing, or the row was changed in the database. Also those
   * that were changed all the time.
   */
  readonly failed: readonly { readonly accountId: string; readonly endpointId: string }[];
  /** Hand it back as `after`. Absent when every endpoint was looked at. */
  readonly next?: string;
}

interface ResealDeps {
  readonly store: EndpointStore;
  readonly sealer: EndpointSealer;
  readonly onResealed: (endpoint: Endpoint) => void;
}

type Outcome = 'resealed' | 'failed' | 'nothing';
interface Stopped {
  readonly code: 'deleted' | 'current' | 'refused';
}

/** Seals endpoints anew, a page of all accounts at a time. @internal */
export const createReseal = ({ store, sealer, onResealed }: ResealDeps) => {
  const seal = (endpoint: Endpoint): Result<Endpoint, Stopped> => {
    if (sealer.isCurrent(endpoint)) return err({ code: 'current' });
    try {
      return ok(sealer.reseal(endpoint));
    } catch {
      return err({ code: 'refused' });
    }
  };

  const resealOne = ({ accountId, id }: Endpoint): ResultAsync<Outcome, Unavailable> =>
    changeStored<Endpoint, Stopped | Unavailable>(
      () =>
        ask(() => store.findEndpoint(accountId, id)).andThen((endpoint) =>
          endpoint ? ok(endpoint) : err<Endpoint, Stopped>({ code: 'deleted' }),
        ),
      seal,
      (endpoint) => store.replaceEndpoint(endpoint),
    )
      .map((endpoint): Outcome => {
        onResealed(endpoint);
        return 'resealed';
      })
      .orElse((failure) => {
        if (failure.code === 'unavailable') return err(failure);
        return ok<Outcome>(failure.code === 'current' || failure.code === 'deleted' ? 'nothing' : 'failed');
      });

  return (request: PageRequest = {}): ResultAsync<Resealed, InvalidCursor | Unavailable> =>
    ask(() => readPage(['endpoints.reseal'], request, store.listAllEndpoints))
      .andThen((page) => page)
      .andThen(({ items, ...rest }) => {
        const stale = items.filter((endpoint) => !sealer.isCurrent(endpoint));
        const one = (done: ResultAsync<Resealed, Unavailable>, endpoint: Endpoint) =>
          done.andThen((soFar) => resealOne(endpoint).map((outcome) => withOutcome(soFar, endpoint, outcome)));
        return stale.reduce(one, okAsync({ resealed: 0, failed: [], ...rest }));
      });
};

const withOutcome = (step: Resealed, { accountId, id }: Endpoint, outcome: Outcome): Resealed => {
  if (outcome === 'resealed') return { ...step, resealed: step.resealed + 1 };
  return outcome === 'failed' ? { ...step, failed: [...step.failed, { accountId, endpointId: id }] } : step;
};
