import { z } from 'zod';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import { type Answer, type Answered, type Call, noInput, type Operation, type Read } from '../operations/operation.ts';
import type { ManagementLimits } from './limits.ts';
import type { ManagedBy } from './managed-by.ts';
import type { ManagementPart, ManagementSession } from './session.ts';

/** The calls of a kit, bound to the person and the version of the request. @internal */
export type Managed = ManagedBy<never, EventPairs>;

/** One call of an operation. @internal */
interface ManagementCall<Q, B> extends Call<ManagementSession, Q, B> {
  /** The account of the session. */
  readonly accountId: string;
  /** The calls of the kit. */
  readonly managed: Managed;
}

/** One row of the management API. @internal */
export interface ManagementOperation<Q extends z.ZodObject = z.ZodObject, B extends z.ZodType = z.ZodType>
  extends Omit<Operation<ManagementSession, Q, B>, 'handle' | 'tag'> {
  /** The part of the interface that a session needs; to read for GET, else to write. Absent: any session will do. */
  readonly part?: ManagementPart;
  /** The limit that each success counts towards. */
  readonly limit?: keyof ManagementLimits;
  handle(call: ManagementCall<Read<Q>, Read<B>>): Answered<Answer>;
}

/** The query of an operation without parameters. */
const noQuery = z.strictObject({});

/** Adds a row. Parameters and fields that it does not describe are refused. @internal */
export const operation = <Q extends z.ZodObject = typeof noQuery, B extends z.ZodType = typeof noInput>(
  row: Omit<ManagementOperation<Q, B>, 'query' | 'body'> & { readonly query?: Q; readonly body?: B },
  // The handler gets what its own schemas have read.
): ManagementOperation => ({ query: noQuery, body: noInput, ...row }) as ManagementOperation;
