import { ok, type Result } from 'neverthrow';
import type { ObjectDefinition } from '../catalogue/define-object.ts';
import type { Route } from '../http/route.ts';
import type { Partnerkit } from '../partnerkit.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { systemClock, systemRandom } from '../runtime/system.ts';
import type { Storage } from '../storage.ts';
import { type CashOuts, manageCashOuts } from './cashouts/manage.ts';
import { depositActions, makeDeposit, newDeposit, type SecurityDeposit, viewDeposit } from './deposits/deposit.ts';
import { depositMachine } from './deposits/machine.ts';
import type { Defaults } from './fields.ts';
import { cashOutResource, resourceOf } from './http/resource.ts';
import { resourceRoutes } from './http/routes.ts';
import type {
  Amount,
  AskedInput,
  DepositAmount,
  DepositCommands,
  PaymentCommands,
  TemplateCommands,
  TemplateInput,
} from './inputs.ts';
import { type Managed, type ManagedDeps, manage } from './managed.ts';
import { paymentMachine } from './payments/machine.ts';
import { makePayment, newPayment, type PaymentRequest, paymentActions, viewPayment } from './payments/payment.ts';
import { owned, type RequestEvents } from './perform.ts';
import type { Owner } from './record.ts';
import { type Refusal, wrongField } from './refusal.ts';
import type { RequestStore, RequestStores } from './stores.ts';
import { depositTemplateMachine, paymentTemplateMachine } from './templates/machine.ts';
import { defaultsOf, depositTemplates, paymentTemplates, type Template } from './templates/template.ts';

/**
 * What {@link createRequests} takes.
 * @public
 */
export interface RequestsOptions<Tx extends object, D extends ObjectDefinition> {
  /** Its objects hold `requestObjects`, or definitions of your own that take the same data. */
  readonly kit: Pick<Partnerkit<Tx, D>, 'accountRoute' | 'events'>;
  /** The kit's. */
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
  readonly stores: RequestStores<Tx>;
  readonly clock?: Clock;
  readonly random?: Random;
}

/**
 * Payment requests, security deposits, their templates and cash-outs (specification §1).
 * @public
 */
export interface Requests<Tx extends object> {
  /** What partners manage over HTTP, below the kit's `basePath`: mount them together with the kit's. */
  readonly routes: readonly Route[];
  readonly payments: Managed<Tx, PaymentRequest, AskedInput & Amount, PaymentCommands>;
  readonly deposits: Managed<Tx, SecurityDeposit, AskedInput & DepositAmount, DepositCommands>;
  readonly cashOuts: CashOuts<Tx>;
  readonly paymentTemplates: Managed<Tx, Template, TemplateInput & Amount, TemplateCommands<Amount>>;
  readonly depositTemplates: Managed<Tx, Template, TemplateInput & DepositAmount, TemplateCommands<DepositAmount>>;
}

/** The template that an input names, in the same account and environment. A store is not relied upon. */
const findTemplate = async <Tx extends object>(
  store: RequestStore<Tx, Template>,
  owner: Owner,
  templateId: string | undefined,
  tx: Tx,
): Promise<Result<Defaults | undefined, Refusal>> => {
  if (templateId === undefined) return ok(undefined);
  return owned(await store.find(owner, templateId, tx), owner, templateId)
    .map(defaultsOf)
    .mapErr(() => wrongField('/templateId', 'no template of this account.'));
};

/**
 * Makes the objects that partners manage: commands with their events, in one transaction each, and the routes for them.
 * @example
 * const storage = memoryStorage();
 * const kit = createPartnerkit({ ...options, storage, objects: requestObjects });
 * const requests = createRequests({ kit, storage, stores: memoryRequests() });
 * const mounted = mountable([...kit.routes, ...requests.routes]);
 * // What the platform learns:
 * const account = { id: accountId, environment: 'prod' };
 * const paid = await requests.payments.perform(account, id, 'succeed', {}, { tx: 'new' });
 * @public
 */
export const createRequests = <Tx extends object, D extends ObjectDefinition>({
  kit,
  storage,
  stores,
  clock = systemClock,
  random = systemRandom,
}: RequestsOptions<Tx, D>): Requests<Tx> => {
  const deps: ManagedDeps<Tx> = {
    storage,
    // Definitions of the host's own take the same data, which publish checks.
    events: kit.events as unknown as RequestEvents<Tx>,
    context: {
      get now() {
        return clock.now();
      },
      newId: () => newId(clock, random),
    },
  };
  const { context } = deps;
  const depositKind = { objectName: 'RequestSecurityDeposit', store: stores.deposits, view: viewDeposit } as const;

  const payments: Requests<Tx>['payments'] = manage(
    deps,
    { objectName: 'RequestPayment', store: stores.payments, view: viewPayment },
    paymentMachine,
    paymentActions,
    newPayment,
    async (owner, input, tx) =>
      (await findTemplate(stores.paymentTemplates, owner, input.templateId, tx)).andThen((template) =>
        makePayment(owner, input, template, context),
      ),
  );
  const deposits: Requests<Tx>['deposits'] = manage(
    deps,
    depositKind,
    depositMachine,
    depositActions,
    newDeposit,
    async (owner, input, tx) =>
      (await findTemplate(stores.depositTemplates, owner, input.templateId, tx)).andThen((template) =>
        makeDeposit(owner, input, template, context),
      ),
  );
  const templates = <A>(
    objectName: 'ModelRequestPayment' | 'ModelRequestSecurityDeposit',
    store: RequestStore<Tx, Template>,
    machine: typeof paymentTemplateMachine | typeof depositTemplateMachine,
    { created, actions, make, view }: typeof paymentTemplates,
  ): Managed<Tx, Template, TemplateInput & A, TemplateCommands<A>> =>
    manage(deps, { objectName, store, view }, machine, actions, created, async (owner, input) =>
      make(owner, input, context),
    );
  const ofPayments = templates<Amount>(
    'ModelRequestPayment',
    stores.paymentTemplates,
    paymentTemplateMachine,
    paymentTemplates,
  );
  const ofDeposits = templates<DepositAmount>(
    'ModelRequestSecurityDeposit',
    stores.depositTemplates,
    depositTemplateMachine,
    depositTemplates,
  );
  const cashOuts = manageCashOuts(deps, depositKind);

  return {
    payments,
    deposits,
    cashOuts,
    paymentTemplates: ofPayments,
    depositTemplates: ofDeposits,
    routes: [
      resourceOf('payment-requests', payments, paymentMachine, viewPayment),
      resourceOf('security-deposits', deposits, depositMachine, viewDeposit),
      cashOutResource(deposits, cashOuts),
      resourceOf('payment-templates', ofPayments, paymentTemplateMachine, paymentTemplates.view),
      resourceOf('security-deposit-templates', ofDeposits, depositTemplateMachine, depositTemplates.view),
    ].flatMap((resource) => resourceRoutes({ kit, storage, answers: stores.answers }, resource)),
  };
};
