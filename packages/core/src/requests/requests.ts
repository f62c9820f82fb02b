import { err, ok, type Result } from 'neverthrow';
import type { ObjectDefinition } from '../catalogue/define-object.ts';
import type { Route } from '../http/route.ts';
import { newId as mintId } from '../runtime/id.ts';
import { isIdentifier } from '../runtime/text.ts';
import { second } from '../runtime/time.ts';
import { asResults } from './as-results.ts';
import { type CashOut, viewCashOut } from './cashouts/cash-out.ts';
import { cashOutShape, createCashOuts } from './cashouts/cash-outs.ts';
import { type Collection, type CollectionDeps, createCollection } from './collection.ts';
import { depositActions, makeDeposit, newDeposit, type SecurityDeposit, viewDeposit } from './deposits/deposit.ts';
import { depositMachine } from './deposits/machine.ts';
import { createDocuments } from './documents.ts';
import type { Extension, ExtensionChange, ExtensionFields, ExtensionInput, RequestExtensions } from './extension.ts';
import { createExtensions } from './extensions.ts';
import { fields } from './fields.ts';
import type { Defaults } from './fill-in.ts';
import { createHostCalls, type HostCalls } from './host-calls.ts';
import { requestRoutes } from './http/request-routes.ts';
import type {
  Amount,
  CashOutCommands,
  CashOutInput,
  DepositAmount,
  DepositCommands,
  PaymentCommands,
  RequestInput,
  Stay,
  TemplateCommands,
  TemplateInput,
} from './inputs.ts';
import { internalsOf } from './kit-internals.ts';
import { paymentMachine } from './payments/machine.ts';
import { makePayment, newPayment, type PaymentRequest, paymentActions, viewPayment } from './payments/payment.ts';
import { owned, type RequestEvents } from './perform.ts';
import type { AccountRef, RequestFields } from './record.ts';
import { type Refusal, wrongField } from './refusal.ts';
import { assertRequestsOptions, type NewRequestRecord, type RequestsOptions } from './requests-options.ts';
import type { RequestStore } from './stores.ts';
import { depositTemplateMachine, paymentTemplateMachine } from './templates/machine.ts';
import { defaultsOf, depositTemplates, paymentTemplates, type Template } from './templates/template.ts';

/** Commands whose `change` accepts the host's own fields, too. @public */
export type ExtendedCommands<C, F> = Omit<C, 'change'> & {
  /** Input of `change`: the fields of the command, and those of the host. */
  readonly change: (C extends { readonly change: infer G } ? G : never) & F;
};

/**
 * Payment requests, security deposits, their templates and cash-outs (specification §1).
 * @public
 */
export interface Requests<Tx extends object, X extends RequestExtensions = Record<never, never>> {
  /** The partner's routes, below the kit's `basePath`: mount them with the kit's routes. */
  readonly routes: readonly Route[];
  /** Payment requests. */
  readonly payments: Collection<
    Tx,
    PaymentRequest & ExtensionFields<X, 'payments'>,
    RequestInput & Amount & ExtensionInput<X, 'payments'>,
    ExtendedCommands<PaymentCommands, ExtensionChange<X, 'payments'>>
  >;
  /** Security deposits. */
  readonly deposits: Collection<
    Tx,
    SecurityDeposit & ExtensionFields<X, 'deposits'>,
    RequestInput & DepositAmount & Stay & ExtensionInput<X, 'deposits'>,
    ExtendedCommands<DepositCommands, ExtensionChange<X, 'deposits'>>
  >;
  /** Cash-outs of security deposits. */
  readonly cashOuts: Collection<
    Tx,
    CashOut & ExtensionFields<X, 'cashOuts'>,
    CashOutInput & ExtensionInput<X, 'cashOuts'>,
    ExtendedCommands<CashOutCommands, ExtensionChange<X, 'cashOuts'>>
  >;
  /** Templates of payment requests. */
  readonly paymentTemplates: Collection<
    Tx,
    Template & ExtensionFields<X, 'paymentTemplates'>,
    TemplateInput & Amount & ExtensionInput<X, 'paymentTemplates'>,
    ExtendedCommands<TemplateCommands<Amount>, ExtensionChange<X, 'paymentTemplates'>>
  >;
  /** Templates of security deposits. */
  readonly depositTemplates: Collection<
    Tx,
    Template & ExtensionFields<X, 'depositTemplates'>,
    TemplateInput & DepositAmount & ExtensionInput<X, 'depositTemplates'>,
    ExtendedCommands<TemplateCommands<DepositAmount>, ExtensionChange<X, 'depositTemplates'>>
  >;
}

/** The template that an input names, in the same account and environment. A store of the host is not trusted. */
const findTemplate = async <Tx extends object>(
  store: RequestStore<Tx, Template>,
  account: AccountRef,
  templateId: string | undefined,
  tx: Tx,
): Promise<Result<Defaults | undefined, Refusal>> => {
  if (templateId === undefined) return ok(undefined);
  return owned(await store.find(account, templateId, tx), account, templateId)
    .map(defaultsOf)
    .mapErr(() => wrongField('/templateId', 'no template of this account.'));
};

/** A new request, without the signal of the call that it is passed to. */
type Created<Tx extends object> =
  NewRequestRecord<Tx> extends infer N ? (N extends object ? Omit<N, 'signal'> : never) : never;

/** Ids by the host's function, each of them checked. */
const hostIds =
  <Tx extends object>(newId: NonNullable<RequestsOptions<Tx>['newId']>, host: HostCalls): CollectionDeps<Tx>['newId'] =>
  async (object, account, tx) => {
    const id = await host.call('newId', tx, (signal) => newId(object, { account, tx, signal }));
    // Clients resolve "." and ".." as path segments.
    if (isIdentifier(id) && id !== '.' && id !== '..') return id;
    throw new TypeError(
      `newId: for ${object} it returned no text of 1 to 256 bytes without control characters, other than "." and "..".`,
    );
  };

/** A new request with the host's own fields, and the address where it is paid, which is checked. */
const complete = async <R extends RequestFields>(
  made: Result<R, Refusal>,
  extension: Extension,
  input: object,
  paymentUrlOf: (record: R) => Promise<string | undefined>,
): Promise<Result<R, Refusal>> => {
  if (made.isErr()) return err(made.error);
  const record = extension.add(made.value, input);
  const paymentUrl = await paymentUrlOf(record);
  if (paymentUrl === undefined) return ok(record);
  if (fields.paymentUrl.safeParse(paymentUrl).success) return ok({ ...record, paymentUrl });
  throw new TypeError('paymentUrl: it returned no HTTPS address of at most 2048 characters.');
};

/**
 * Creates the objects that partners manage: commands with their events, one transaction each, and their routes.
 * @example
 * const kit = createPartnerkit({ ...options, storage: memoryStorage(), objects: requestObjects });
 * const requests = createRequests({ kit });
 * const mounted = mountRoutes([...kit.routes, ...requests.routes]);
 * // When your platform learns of the payment:
 * const account = { id: accountId, environment: 'prod' };
 * const paid = await requests.payments.perform(account, id, 'succeed', { tx: 'new' });
 * @throws TypeError that names each wrong option and its remedy.
 * @public
 */
export const createRequests = <
  Tx extends object,
  D extends ObjectDefinition,
  const X extends RequestExtensions = Record<never, never>,
>(
  options: RequestsOptions<Tx, D, X>,
): Requests<Tx, X> => {
  assertRequestsOptions(options);
  const { kit, extend, onCommand, newId, paymentUrl } = options;
  const { testEnvironments = [] } = options;
  const { storage, observe, clock, random } = internalsOf<Tx>('createRequests', kit);
  const stores = storage.requests;
  const host = createHostCalls(clock, options.onCommandTimeout ?? 5 * second);
  const deps: CollectionDeps<Tx> = {
    storage,
    // Definitions of the host accept the same data; `publishMany` checks it.
    events: kit.events as unknown as RequestEvents<Tx>,
    observe,
    references: options.uniqueReferences ? stores.references : undefined,
    onCommand: onCommand && ((given) => host.call('onCommand', given.tx, () => onCommand(given))),
    now: () => clock.now(),
    newId: newId ? hostIds(newId, host) : async () => mintId(clock, random),
  };
  const linkOf = async (created: Created<Tx>): Promise<string | undefined> =>
    paymentUrl && host.call('paymentUrl', created.tx, (signal) => paymentUrl({ ...created, signal }));
  const extensions = createExtensions(extend);
  const kinds = {
    payments: {
      object: 'RequestPayment',
      objectName: 'RequestPayment',
      store: stores.payments,
      view: extensions.payments.view(viewPayment),
    },
    deposits: {
      object: 'RequestSecurityDeposit',
      objectName: 'RequestSecurityDeposit',
      store: stores.deposits,
      view: extensions.deposits.view(viewDeposit),
    },
    cashOuts: {
      object: 'CashOut',
      objectName: 'RequestSecurityDeposit',
      store: stores.cashOuts,
      view: extensions.cashOuts.view(viewCashOut),
    },
    paymentTemplates: {
      object: 'ModelRequestPayment',
      objectName: 'ModelRequestPayment',
      store: stores.paymentTemplates,
      view: extensions.paymentTemplates.view(paymentTemplates.view),
    },
    depositTemplates: {
      object: 'ModelRequestSecurityDeposit',
      objectName: 'ModelRequestSecurityDeposit',
      store: stores.depositTemplates,
      view: extensions.depositTemplates.view(depositTemplates.view),
    },
  } as const;

  const templates = (name: 'paymentTemplates' | 'depositTemplates') => {
    const { created, actions, make } = { paymentTemplates, depositTemplates }[name];
    const extension = extensions[name];
    return createCollection(deps, {
      kind: kinds[name],
      machine: { paymentTemplates: paymentTemplateMachine, depositTemplates: depositTemplateMachine }[name],
      actions: { ...actions, change: extension.change(actions.change) },
      created: extension.created(created),
      make: async (account, input, context) =>
        make(account, input, context).map((template) => extension.add(template, input)),
    });
  };
  const collections = {
    payments: createCollection(deps, {
      kind: kinds.payments,
      machine: paymentMachine,
      actions: { ...paymentActions, change: extensions.payments.change(paymentActions.change) },
      created: extensions.payments.created(newPayment),
      make: async (account, input, context, tx) => {
        const template = await findTemplate(stores.paymentTemplates, account, input.templateId, tx);
        const made = template.andThen((defaults) => makePayment(account, input, defaults, context));
        return complete(made, extensions.payments, input, (record) => linkOf({ object: 'RequestPayment', record, tx }));
      },
    }),
    deposits: createCollection(deps, {
      kind: kinds.deposits,
      machine: depositMachine,
      actions: { ...depositActions, change: extensions.deposits.change(depositActions.change) },
      created: extensions.deposits.created(newDeposit),
      make: async (account, input, context, tx) => {
        const template = await findTemplate(stores.depositTemplates, account, input.templateId, tx);
        const made = template.andThen((defaults) => makeDeposit(account, input, defaults, context));
        return complete(made, extensions.deposits, input, (record) =>
          linkOf({ object: 'RequestSecurityDeposit', record, tx }),
        );
      },
    }),
    cashOuts: createCashOuts(deps, kinds, {
      created: extensions.cashOuts.created(cashOutShape.created),
      actions: { ...cashOutShape.actions, change: extensions.cashOuts.change(cashOutShape.actions.change) as never },
      extend: extensions.cashOuts.add,
    }),
    paymentTemplates: templates('paymentTemplates'),
    depositTemplates: templates('depositTemplates'),
  };
  const shown = {
    payments: asResults(collections.payments),
    deposits: asResults(collections.deposits),
    cashOuts: asResults(collections.cashOuts),
    paymentTemplates: asResults(collections.paymentTemplates),
    depositTemplates: asResults(collections.depositTemplates),
  };
  return {
    // The extensions have added the fields that these types name.
    ...(shown as unknown as Omit<Requests<Tx, X>, 'routes'>),
    routes: requestRoutes(
      { kit, storage, idempotency: stores.idempotency, testEnvironments },
      collections as never,
      kinds,
      createDocuments(extend),
    ),
  };
};
