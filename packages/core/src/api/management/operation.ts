import { z } from 'zod';
import type { Clients } from '../../access/clients/clients.ts';
import { once } from '../../base/runtime/once.ts';
import type { ChangeOptions } from '../../base/signals/change-options.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { Endpoints } from '../../webhooks/endpoints/endpoints.ts';
import type { Events } from '../../webhooks/events/publish.ts';
import type { Deliveries } from '../../webhooks/log/deliveries.ts';
import { type Answer, type Answered, type Call, noInput, type Operation, type Read } from '../operations/operation.ts';
import type { ManagementLimits } from './limits.ts';
import type { ManagementPart, ManagementSession } from './session.ts';

/** The calls of a kit that manage what an account has. */
export interface ManagedCalls {
  readonly clients: Clients;
  readonly endpoints: Endpoints<EventPairs>;
  readonly events: Pick<Events<object, ObjectDefinition>, 'sendTest' | 'list' | 'find' | 'pull'>;
  readonly deliveries: Deliveries<EventPairs>;
}

/** One call of an operation. */
interface ManagementCall<Q, B> extends Call<ManagementSession, Q, B> {
  /** The account of the session. */
  readonly accountId: string;
  /** The calls of the kit. */
  readonly managed: ManagedCalls;
  /** The person of the session, and with `conditional` the versions of the request: hand them to each change. */
  readonly by: ChangeOptions;
}

/** What a change without input reads of a call. */
export type ChangeCall = Pick<ManagementCall<unknown, unknown>, 'managed' | 'accountId' | 'params' | 'by'>;

/** One row of the management API. */
export interface ManagementOperation<Q extends z.ZodObject = z.ZodObject, B extends z.ZodType = z.ZodType>
  extends Omit<Operation<ManagementSession, Q, B>, 'handle' | 'tag'> {
  /** The part of the interface that a session needs; to read for GET, else to write. Absent: any session will do. */
  readonly part?: ManagementPart;
  /** The limit that each success counts towards. */
  readonly limit?: keyof ManagementLimits;
  handle(call: ManagementCall<Read<Q>, Read<B>>): Answered<Answer>;
}

/** The query of an operation without parameters. */
const noQuery = once(() => z.strictObject({}));

/** Adds a row. Parameters and fields that it does not describe are refused. */
export const operation = <
  Q extends z.ZodObject = ReturnType<typeof noQuery>,
  B extends z.ZodType = ReturnType<typeof noInput>,
>(
  row: Omit<ManagementOperation<Q, B>, 'query' | 'body'> & { readonly query?: Q; readonly body?: B },
  // The handler gets what its own schemas have read.
): ManagementOperation => ({ query: noQuery(), body: noInput(), ...row }) as ManagementOperation;
