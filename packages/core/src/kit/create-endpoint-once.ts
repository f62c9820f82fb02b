import { errAsync, type Result } from '#result';
import type { CreateEndpoint } from '../api/management/operation.ts';
import { present } from '../base/fields/present.ts';
import { callPort } from '../base/runtime/call-port.ts';
import type { Observer } from '../base/signals/listener.ts';
import { afterCommit, transact } from '../requests/commands/transact.ts';
import { answerOnce, ownerOf } from '../requests/http/idempotency.ts';
import { refusalOf } from '../requests/http/refused.ts';
import type { EventPairs } from '../webhooks/catalogue/pairs.ts';
import type { EndpointReader } from '../webhooks/endpoints/endpoint-input.ts';
import type { EndpointStore } from '../webhooks/endpoints/endpoint-store.ts';
import type { EndpointFailure, EndpointInput, Endpoints } from '../webhooks/endpoints/endpoints.ts';
import type { Foundation } from './foundation.ts';

type Creation = Pick<Endpoints<EventPairs>, 'create'>;

/** What {@link createEndpointOnce} calls. */
export interface CreateEndpointDeps<Tx extends object> {
  readonly storage: Foundation<Tx>['storage'];
  readonly observe: Observer;
  readonly reader: Pick<EndpointReader, 'created'>;
  /** Makes `endpoints.create` over a store. */
  readonly over: (store: EndpointStore, observe: Observer) => Creation;
}

/**
 * Creates an endpoint once for each idempotency key: the key and the endpoint are stored in one transaction. The stored
 * answer is the endpoint as it was made, without its secret.
 */
export const createEndpointOnce =
  <Tx extends object>({ storage, observe, reader, over }: CreateEndpointDeps<Tx>): CreateEndpoint =>
  (accountId, given, { key, ...by }) => {
    // The call checks it.
    const input = given as EndpointInput<EventPairs>;
    if (key === undefined) return over(storage.endpoints, observe).create(accountId, input, by);
    const read = reader.created(input);
    if (read.isErr()) return errAsync(read.error);
    // A digest of the header's value would let a reader of the store guess it.
    const { deliveryHeader, ...fields } = read.value;
    const request = ['createEndpoint', { ...fields, deliveryHeader: deliveryHeader?.name }];
    // Endpoints have no environment.
    const owner = ownerOf({ account: { id: accountId, environment: '' }, actor: by.actor });
    /** Only the call that makes the endpoint has it. */
    let secret: string | undefined;

    const make = async (tx: Tx): Promise<Result<{ readonly body: string }, EndpointFailure>> => {
      const { insertEndpoint } = storage.endpoints;
      const joining: EndpointStore = {
        ...storage.endpoints,
        insertEndpoint: (endpoint, max, _none, audit) => insertEndpoint(endpoint, max, tx, audit),
      };
      const created = await over(joining, (signal) => afterCommit(tx, () => observe(signal))).create(
        accountId,
        input,
        by,
      );
      // A rejection lets the transaction give its connection up, on which a statement may still run.
      if (created.isErr() && created.error.code === 'unavailable') throw created.error.cause;
      return created.map((made) => {
        secret = made.secret;
        return { body: JSON.stringify(made.endpoint) };
      });
    };

    const answer = () =>
      transact(storage, (tx) =>
        answerOnce<Tx, EndpointFailure>(
          { store: storage.requests.idempotency, tx },
          owner,
          { key, request },
          async () => (await make(tx)).map(({ body }) => ({ status: 201, headers: {}, body })),
        ),
      );
    return callPort(answer).andThen((answered) =>
      answered
        .map(({ body }) => ({ endpoint: JSON.parse(body), ...present({ secret }) }))
        .mapErr((error) => (error.code === 'rejected' ? refusalOf(error) : error)),
    );
  };
