import type { ResultAsync } from '#result';
import { withSharedOperations } from '../api/management/shared-operations.ts';
import { present } from '../base/fields/present.ts';
import { isDotSegment } from '../base/http/path-segment.ts';
import type { Route } from '../base/http/route.ts';
import type { Unavailable } from '../base/runtime/call-port.ts';
import type { Failure } from '../base/runtime/failure.ts';
import { newId as mintId } from '../base/runtime/id.ts';
import { isIdentifier } from '../base/runtime/text.ts';
import { type EpochMs, second } from '../base/runtime/time.ts';
import { collectionOf, type RequestCollection } from './collection.ts';
import { publishingOf } from './commands/command-events.ts';
import { createDueWork } from './commands/give-due.ts';
import { createHostCalls, type HostCalls } from './commands/host-calls.ts';
import { type RequestTransactions, readTransactions } from './commands/read-transactions.ts';
import { type Rescheduled, reschedule } from './commands/reschedule.ts';
import { isOrigin, originRule } from './commands/return-urls.ts';
import type { CommandDeps } from './commands/run-command.ts';
import {
  type ExtensionChange,
  type ExtensionFields,
  type ExtensionInput,
  extendKind,
  type RequestExtensions,
} from './extensions/extension.ts';
import { values } from './fields/fields.ts';
import { evidenceOperation } from './http/evidence-operation.ts';
import { requestRoutes } from './http/request-routes.ts';
import { createImportRequests, type ImportRequests } from './imports/import-requests.ts';
import { kinds, type RequestTypes } from './kinds/all.ts';
import { internalsOf } from './options/kit-internals.ts';
import {
  assertRequestsOptions,
  type NewRequestRecord,
  type PaymentUrl,
  type RequestsOptions,
} from './options/requests-options.ts';
import { forEachKind, type RequestKindName } from './record/names.ts';

/** Commands whose `change` accepts the host's own fields, too. @public */
export type ExtendedCommands<C, F> = Omit<C, 'change'> & {
  /** Input of `change`: the fields of the command, and those of the host. */
  readonly change: (C extends { readonly change: infer G } ? G : never) & F;
};

/** The objects of each kind. @public */
export type RequestCollections<Tx extends object, X extends RequestExtensions = Record<never, never>> = {
  readonly [K in RequestKindName]: RequestCollection<
    Tx,
    RequestTypes[K]['record'] & ExtensionFields<X, K>,
    RequestTypes[K]['input'] & ExtensionInput<X, K>,
    ExtendedCommands<RequestTypes[K]['commands'], ExtensionChange<X, K>>,
    RequestTypes[K]['filter']
  >;
};

/**
 * Payment requests, security deposits, their templates and cash-outs (specification §1).
 * @public
 */
export interface Requests<Tx extends object, X extends RequestExtensions = Record<never, never>>
  extends RequestCollections<Tx, X> {
  /** The transactions of payment requests and security deposits. */
  readonly transactions: RequestTransactions;
  /**
   * Plans anew what the open objects of an account wait for, by the policies of these options. Call it for each account
   * after you have changed a policy, when the last process with the old one has ended. Reads every open object.
   *
   * - What is planned depends on the objects and the policies alone: a second call changes nothing.
   * - An `answerBy` that was shown stays. What is due already is given now.
   * - An account that the directory does not know returns `not_found`.
   */
  reschedule(accountId: string): ResultAsync<Rescheduled, Failure<'not_found'> | Unavailable>;
  /**
   * Imports objects of all kinds with their states, history, transactions and times: lines of `kit.export`, or rows of
   * another system in the same form. `onCommand` is not called.
   *
   * - Each object is stored whole with its history and transactions, or not at all. One that is stored already is not
   *   changed: a call may be repeated, also after a crash.
   * - A deposit comes before its cash-outs. A cash-out is refused that its deposit does not name in `cashOuts`.
   * - Rows are read while they are imported, about 50 objects at a time. The report has one entry for each object. A
   *   dry run keeps the names of all objects, and the deposits that have cash-outs.
   * - An object has at most 10,000 lines of history and transactions.
   * @example
   * const report = await requests.import(kit.export({ accounts: ['acc_1'] }), { dryRun: true });
   * if (report.isOk()) console.table(report.value.rows.filter(({ outcome }) => outcome === 'refused'));
   * @throws TypeError when an option is wrong, or `rows` cannot be iterated.
   */
  readonly import: ImportRequests<X>;
  /** The partner's routes, below the kit's `basePath`: mount them with the kit's routes. */
  readonly routes: readonly Route[];
}

/** A new request, without the signal of the call that it is passed to. */
type Created<Tx extends object> =
  NewRequestRecord<Tx> extends infer N ? (N extends object ? Omit<N, 'signal'> : never) : never;

/** Ids by the host's function, each of them checked. */
const hostIds =
  <Tx extends object>(newId: NonNullable<RequestsOptions<Tx>['newId']>, host: HostCalls): CommandDeps<Tx>['newId'] =>
  async (object, account, tx, idempotencyKey) => {
    const id = await host.call('newId', tx, (signal) => newId(object, { account, tx, idempotencyKey, signal }));
    // `batch` is a path of its own.
    if (isIdentifier(id) && !isDotSegment(id) && id !== 'batch') return id;
    throw new TypeError(
      `newId: for ${object} it returned no text of 1 to 256 bytes without control characters, other than ".", ".." and "batch".`,
    );
  };

/** The address where a new request is paid and its expiry, which are checked. */
const checkedUrl = (given: string | PaymentUrl | undefined, now: EpochMs) => {
  if (given === undefined) return {};
  const { url, expiresAt } = typeof given === 'string' ? { url: given } : given;
  if (!values.paymentUrl.input.safeParse(url).success)
    throw new TypeError('paymentUrl: it returned no HTTPS address of at most 2048 visible ASCII characters.');
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now))
    throw new TypeError('paymentUrl: expiresAt is no time in the future, in milliseconds since 1970.');
  return { paymentUrl: url, ...present({ paymentUrlExpiresAt: expiresAt }) };
};

/** The origins of an account, which are checked. */
const checkedOrigins = (given: readonly string[]): readonly string[] => {
  if (Array.isArray(given) && given.every(isOrigin)) return given;
  throw new TypeError(`returnOrigins: it resolved to no list of origins, each ${originRule}.`);
};

/**
 * Creates the objects that partners manage: commands with their events, one transaction each, and their routes.
 * @example
 * const kit = createPartnerkit({ ...options, storage: memoryStorage(), objects: requestObjects });
 * const requests = createRequests({ kit });
 * const mounted = mountRoutes([...kit.routes, ...requests.routes]);
 * // When your platform learns of the payment:
 * const paid = await requests.payments.perform(accountId, id, 'succeed', { tx: 'new' });
 * @throws TypeError that names each wrong option and its remedy.
 * @public
 */
export const createRequests = <Tx extends object, const X extends RequestExtensions = Record<never, never>>(
  options: RequestsOptions<Tx, X>,
): Requests<Tx, X> => {
  assertRequestsOptions(options);
  const { kit, extend, onCommand, newId, paymentUrl, returnOrigins = [] } = options;
  const {
    testEnvironments = [],
    evidenceUpload,
    guarantee,
    proposedTerms,
    disputes,
    reminders,
    expire,
    partialPayments,
  } = options;
  const internals = internalsOf<Tx>('createRequests', kit);
  const { storage, accounts, listChildren, serveAccount: serve, observe, clock, random, dueWork } = internals;
  const stores = storage.requests;
  const host = createHostCalls(clock, options.onCommandTimeout ?? 5 * second);
  const served = forEachKind((name) => ({
    name,
    kind: extendKind(name, kinds[name], extend?.[name]),
    store: stores[name],
  }));
  const deps: CommandDeps<Tx> = {
    storage,
    served,
    publish: publishingOf(kit.events, internals.publishing),
    observe,
    transactions: stores.transactions,
    policies: present({ guarantee, proposedTerms, disputes, reminders, expire, partialPayments }),
    due: stores.due,
    references: options.uniqueReferences ? stores.references : undefined,
    onCommand: onCommand && ((given) => host.call('onCommand', given.tx, () => onCommand(given))),
    now: () => clock.now(),
    newId: newId ? hostIds(newId, host) : async () => mintId(clock, random),
    newUuid: () => mintId(clock, random),
    paymentUrl: async (object, record, tx, idempotencyKey) => {
      if (!paymentUrl) return {};
      // The record is one of its `object`.
      const created = { object, record, tx, idempotencyKey } as Created<Tx>;
      const url = await host.call('paymentUrl', tx, (signal) => paymentUrl({ ...created, signal }));
      return checkedUrl(url, clock.now());
    },
    returnOrigins: async (account, tx, idempotencyKey) => {
      if (typeof returnOrigins !== 'function') return returnOrigins;
      const asked = { account, tx, idempotencyKey };
      return checkedOrigins(await host.call('returnOrigins', tx, (signal) => returnOrigins({ ...asked, signal })));
    },
  };
  const { auditor } = internals;
  dueWork.add(createDueWork(deps, { store: stores.due, audit: storage.audit, auditor }));
  const { routes, shared } = requestRoutes({
    kit,
    serve,
    idempotency: stores.idempotency,
    testEnvironments,
    listChildren,
    commands: deps,
    evidence: evidenceUpload && evidenceOperation(evidenceUpload, host),
  });
  const requests = {
    // The kinds name these records, inputs and commands, and the host its fields.
    ...(forEachKind((name) => collectionOf({ commands: deps, accounts }, name)) as RequestCollections<Tx, X>),
    transactions: readTransactions(stores.transactions, accounts),
    reschedule: (accountId: string) => reschedule(deps, accounts, accountId),
    import: createImportRequests({ commands: deps, accounts, extend }) as ImportRequests<X>,
    routes,
  };
  return withSharedOperations(requests, shared);
};
