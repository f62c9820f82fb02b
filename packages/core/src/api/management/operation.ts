import { z } from 'zod';
import type { ResultAsync } from '#result';
import type { Clients } from '../../access/clients/clients.ts';
import type { Right } from '../../base/accounts/rights.ts';
import type { Alerts } from '../../base/alerts/alerts.ts';
import type { AuditTrail } from '../../base/audit/audit-trail.ts';
import { once } from '../../base/runtime/once.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { ChangeOptions } from '../../base/signals/change-options.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { EndpointView } from '../../webhooks/endpoints/endpoint.ts';
import type { EndpointFailure, Endpoints } from '../../webhooks/endpoints/endpoints.ts';
import type { Events } from '../../webhooks/events/publish.ts';
import type { PulledEvents } from '../../webhooks/feeds/pull-events.ts';
import type { Deliveries } from '../../webhooks/log/deliveries.ts';
import type { Sending } from '../../webhooks/sending/sending.ts';
import type { RouteFailure } from '../operations/failure.ts';
import { type Answer, type Answered, type Call, noInput, type Operation, type Read } from '../operations/operation.ts';
import type { CreationLimits } from './limits.ts';
import type { ManagementPart } from './session.ts';

/** Who sends a request about webhooks or keys: a client with its token, or a person with the host's session. */
export type ManagementActor = Extract<Actor, { readonly type: 'client' | 'user' }>;

/**
 * Creates an endpoint; once, if there is an idempotency `key`: the same input then returns the endpoint as it was made,
 * without its secret.
 */
export type CreateEndpoint = (
  accountId: string,
  input: unknown,
  by: {
    readonly actor: ManagementActor;
    readonly requestId?: string | undefined;
    readonly key: string | undefined;
  },
) => ResultAsync<
  { readonly endpoint: EndpointView<EventPairs>; readonly secret?: string },
  EndpointFailure | RouteFailure
>;

/** The calls of a kit that manage what an account has. */
export interface ManagedCalls {
  readonly clients: Clients;
  readonly endpoints: Endpoints<EventPairs>;
  readonly createEndpoint: CreateEndpoint;
  readonly events: Pick<Events<object, ObjectDefinition>, 'sendTest' | 'list' | 'find'> & PulledEvents;
  readonly deliveries: Deliveries<EventPairs>;
  readonly audit: Pick<AuditTrail, 'list'>;
  readonly alerts: Alerts;
  readonly sending: Sending;
}

/** One call of an operation. */
interface ManagementCall<C, Q, B> extends Call<C, Q, B> {
  /** The account of the session, or of the path. */
  readonly accountId: string;
  /** The calls of the kit. */
  readonly managed: ManagedCalls;
  /** The person or the client, and with `conditional` the versions of the request: hand them to each change. */
  readonly by: ChangeOptions & { readonly actor: ManagementActor };
}

/** What a change without input reads of a call. */
export type ChangeCall = Pick<ManagementCall<unknown, unknown, unknown>, 'managed' | 'accountId' | 'params' | 'by'>;

/**
 * One row of the management API. `C` is what it reads of the caller: a row that reads nothing serves sessions and
 * clients.
 */
export interface ManagementOperation<Q extends z.ZodObject = z.ZodObject, B extends z.ZodType = z.ZodType, C = unknown>
  extends Omit<Operation<C, Q, B>, 'handle' | 'tag'> {
  /** The part of the interface that a session needs; to read for GET, else to write. Absent: any session will do. */
  readonly part?: ManagementPart;
  /** The limit that each success counts towards. */
  readonly limit?: keyof CreationLimits;
  handle(call: ManagementCall<C, Read<Q>, Read<B>>): Answered<Answer>;
}

/** A row that API keys may call, too. */
export type KeyRow = ManagementOperation & { readonly right: Right };

/** The query of an operation without parameters. */
const noQuery = once(() => z.strictObject({}));

/** Adds a row. Parameters and fields that it does not describe are refused. */
export const operation = <
  Q extends z.ZodObject = ReturnType<typeof noQuery>,
  B extends z.ZodType = ReturnType<typeof noInput>,
  C = unknown,
>(
  row: Omit<ManagementOperation<Q, B, C>, 'query' | 'body'> & { readonly query?: Q; readonly body?: B },
  // The handler gets what its own schemas have read.
) => ({ query: noQuery(), body: noInput(), ...row }) as ManagementOperation<z.ZodObject, z.ZodType, C>;

/** Adds a row that API keys may call, too, with this right. */
export const keyRow = <
  Q extends z.ZodObject = ReturnType<typeof noQuery>,
  B extends z.ZodType = ReturnType<typeof noInput>,
>(
  row: Omit<ManagementOperation<Q, B>, 'query' | 'body' | 'right'> & {
    readonly query?: Q;
    readonly body?: B;
    readonly right: Right;
  },
) => operation<Q, B>(row) as KeyRow;
