import { err, ok, okAsync, type Result, type ResultAsync } from '#result';
import { present } from '../../base/fields/present.ts';
import { type InvalidCursor, readPage } from '../../base/pagination/cursor.ts';
import type { PageRequest } from '../../base/pagination/page.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { updateWithRetry } from '../../base/runtime/update-with-retry.ts';
import type { Actor } from '../../base/signals/actor.ts';
import { type ActorOptions, actorNames, type By, hostActor } from '../../base/signals/change-options.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointAudit } from './endpoint-audit.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { EndpointSealer } from './webhook-secret.ts';

/**
 * Result of one call of `Endpoints.reseal`.
 * @public
 */
export interface ResealOutcome {
  /** Number of endpoints that were sealed with the first key. */
  readonly resealed: number;
  /**
   * Endpoints that were not changed: a value does not open, because its key is missing or its row was changed in the
   * database; or other calls changed the endpoint five times in a row.
   */
  readonly failed: readonly {
    /** The account of the endpoint. */
    readonly accountId: string;
    readonly endpointId: string;
  }[];
  /** Cursor for the next call, as `after`. Absent after the last endpoint. */
  readonly next?: string;
}

interface ResealDeps {
  readonly store: EndpointStore;
  readonly sealer: EndpointSealer;
  /** Makes the entry of a change. */
  readonly audit: EndpointAudit;
  readonly onResealed: (endpoint: Endpoint, actor: Actor) => void;
}

type Outcome = 'resealed' | 'failed' | 'nothing';
interface Stopped {
  readonly code: 'deleted' | 'current' | 'refused';
}

/** Seals the endpoints of all accounts with the active key, one page at a time. */
export const createReseal = ({ store, sealer, audit, onResealed }: ResealDeps) => {
  const seal = (endpoint: Endpoint): Result<Endpoint, Stopped> => {
    if (sealer.isCurrent(endpoint)) return err({ code: 'current' });
    try {
      return ok(sealer.reseal(endpoint));
    } catch {
      return err({ code: 'refused' });
    }
  };

  const resealOne = ({ accountId, id }: Endpoint, by: By): ResultAsync<Outcome, Unavailable> =>
    updateWithRetry<Endpoint, Stopped | Unavailable>(
      () =>
        callPort(() => store.findEndpoint(accountId, id)).andThen((endpoint) =>
          endpoint ? ok(endpoint) : err<Endpoint, Stopped>({ code: 'deleted' }),
        ),
      seal,
      (endpoint) => store.replaceEndpoint(endpoint, audit('resealed', endpoint, by)),
    )
      .map((endpoint): Outcome => {
        onResealed(endpoint, by.actor);
        return 'resealed';
      })
      .orElse((failure) => {
        if (failure.code === 'unavailable') return err(failure);
        return ok<Outcome>(failure.code === 'current' || failure.code === 'deleted' ? 'nothing' : 'failed');
      });

  return ({
    actor = hostActor,
    requestId,
    ...request
  }: ActorOptions & PageRequest = {}): ResultAsync<ResealOutcome, InvalidCursor | Unavailable> => {
    assertOptionNames('endpoints.reseal', request, { after: true, limit: true, ...actorNames });
    return callPort(() => readPage(['endpoints.reseal'], request, store.listAllEndpoints))
      .andThen((page) => page)
      .andThen(({ items, ...rest }) => {
        const stale = items.filter((endpoint) => !sealer.isCurrent(endpoint));
        const by = { actor, ...present({ requestId }) };
        const one = (done: ResultAsync<ResealOutcome, Unavailable>, endpoint: Endpoint) =>
          done.andThen((soFar) => resealOne(endpoint, by).map((outcome) => withOutcome(soFar, endpoint, outcome)));
        return stale.reduce(one, okAsync({ resealed: 0, failed: [], ...rest }));
      });
  };
};

const withOutcome = (step: ResealOutcome, { accountId, id }: Endpoint, outcome: Outcome): ResealOutcome => {
  if (outcome === 'resealed') return { ...step, resealed: step.resealed + 1 };
  return outcome === 'failed' ? { ...step, failed: [...step.failed, { accountId, endpointId: id }] } : step;
};
