import { z } from 'zod';
import type { ObjectDefinition } from '../catalogue/define-object.ts';
import type { Partnerkit } from '../partnerkit.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertOptions, exactly, functionSchema, portSchema, wholeNumberSchema } from '../runtime/option-schemas.ts';
import type { Random } from '../runtime/random.ts';
import type { DurationMs } from '../runtime/time.ts';
import type { Storage } from '../storage.ts';
import type { SecurityDeposit } from './deposits/deposit.ts';
import type { RequestExtensions } from './extension.ts';
import type { IdempotencyStore } from './http/idempotency-store.ts';
import type { ObjectKind, OnCommand } from './on-command.ts';
import type { PaymentRequest } from './payments/payment.ts';
import type { AccountRef, StoredRecord } from './record.ts';
import type { ReferenceStore } from './references.ts';
import type { RequestStore, RequestStores } from './stores.ts';

/**
 * What {@link createRequests} takes.
 * @public
 */
export interface RequestsOptions<
  Tx extends object,
  D extends ObjectDefinition = ObjectDefinition,
  X extends RequestExtensions = RequestExtensions,
> {
  /** Its `objects` are `requestObjects`, or definitions of your own that take the same data. */
  readonly kit: Pick<Partnerkit<Tx, D>, 'accountRoute' | 'events' | 'endpoints' | 'observe'>;
  /** The kit's. */
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
  readonly stores: RequestStores<Tx>;
  /** Your own fields, by kind of object. Give the same to `extendRequestObjects`. */
  readonly extend?: X;
  /** Called inside the transaction of every command: write your ledger, enqueue your e-mail, publish. */
  readonly onCommand?: OnCommand<Tx>;
  /** How long `onCommand` may take, in milliseconds, before the command fails. @defaultValue 5000 */
  readonly onCommandTimeout?: DurationMs;
  /**
   * The id of a new object: 1 to 256 bytes, unique among its kind over all accounts. Called inside the transaction of the command.
   * @defaultValue a UUID of version 7
   */
  readonly newId?: (object: ObjectKind, context: { readonly account: AccountRef; readonly tx: Tx }) => Promise<string>;
  /**
   * Where the recipient of a new payment request or security deposit pays: an HTTPS address. Called inside the transaction of the
   * command; `setPaymentUrl` gives or changes it later.
   * @defaultValue none
   */
  readonly paymentUrl?: (created: NewRequestRecord<Tx>) => Promise<string | undefined>;
  /** Refuse a `reference` that another object of the same kind and account has. @defaultValue false */
  readonly uniqueReferences?: boolean;
  /**
   * Environments in which partners may give the host's commands themselves, to try their integration out:
   * `POST …/{id}/simulate/{command}`, and `POST …/webhooks/test`. Elsewhere these paths answer 404.
   * @defaultValue none
   */
  readonly testEnvironments?: readonly string[];
  readonly clock?: Clock;
  readonly random?: Random;
}

/**
 * A payment request or a security deposit that is being created, as `paymentUrl` gets it.
 * @public
 */
export type NewRequestRecord<Tx extends object> = { readonly tx: Tx } & (
  | { readonly object: 'RequestPayment'; readonly record: PaymentRequest }
  | { readonly object: 'RequestSecurityDeposit'; readonly record: SecurityDeposit }
);

const kitRemedy = 'Hand over your kit.';
const kitSchema = portSchema<Pick<Partnerkit<object, never>, 'accountRoute' | 'observe'>>(
  { accountRoute: true, observe: true },
  kitRemedy,
);
const storageRemedy = 'Hand over the storage of the kit.';
const storesRemedy = 'Hand over memoryRequests() or postgresRequests(pool).';
const recordStore = portSchema<RequestStore<object, StoredRecord>>(
  { insert: true, find: true, replace: true, remove: true, list: true, listHistory: true },
  storesRemedy,
);
const storesSchema = portSchema<object>({}, storesRemedy).pipe(
  z.looseObject({
    payments: recordStore,
    deposits: recordStore,
    cashOuts: recordStore,
    paymentTemplates: recordStore,
    depositTemplates: recordStore,
    references: portSchema<ReferenceStore<object>>({ claim: true, release: true }, storesRemedy),
    idempotency: portSchema<IdempotencyStore<object>>({ claim: true, complete: true }, storesRemedy),
  }),
);
const objectSchema = z
  .custom<z.ZodObject>((value) => value instanceof Object && 'shape' in value && 'safeParse' in value, {
    message: 'must be an object schema of zod.',
  })
  .optional();

const optionsSchema = exactly({
  kit: kitSchema,
  storage: portSchema<Pick<Storage<object>, 'transaction'>>({ transaction: true }, storageRemedy),
  stores: storesSchema,
  extend: exactly({
    payments: objectSchema,
    deposits: objectSchema,
    cashOuts: objectSchema,
    paymentTemplates: objectSchema,
    depositTemplates: objectSchema,
  } satisfies Record<keyof RequestExtensions, z.ZodType>).optional(),
  onCommand: functionSchema.optional(),
  onCommandTimeout: wholeNumberSchema(1).optional(),
  newId: functionSchema.optional(),
  paymentUrl: functionSchema.optional(),
  uniqueReferences: z.boolean('must be true or false.').optional(),
  testEnvironments: z.array(z.string(), 'must be a list of environments.').optional(),
  clock: z.unknown().optional(),
  random: z.unknown().optional(),
} satisfies Record<keyof RequestsOptions<object>, z.ZodType>);

/** @throws TypeError that names each wrong option. @internal */
export const assertRequestsOptions = (options: unknown): void =>
  assertOptions('createRequests', optionsSchema, options);
