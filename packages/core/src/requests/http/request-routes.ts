import type { ObjectDefinition } from '../../catalogue/define-object.ts';
import type { Route } from '../../http/route.ts';
import type { CashOut } from '../cashouts/cash-out.ts';
import { cashOutMachine } from '../cashouts/machine.ts';
import type { RawCollection } from '../collection.ts';
import type { SecurityDeposit } from '../deposits/deposit.ts';
import { depositMachine } from '../deposits/machine.ts';
import type { RequestDocuments } from '../documents.ts';
import { paymentMachine } from '../payments/machine.ts';
import type { PaymentRequest } from '../payments/payment.ts';
import type { Kind } from '../perform.ts';
import type { RequestsKit } from '../requests-options.ts';
import { depositTemplateMachine, paymentTemplateMachine } from '../templates/machine.ts';
import type { Template } from '../templates/template.ts';
import { readOnly, resourceOf, withinDeposit } from './resource.ts';
import { type ResourceRouteDeps, resourceRoutes } from './routes.ts';
import { webhookTestRoute } from './webhook-test.ts';

type Of<Tx extends object, R extends { readonly id: string }> = R extends infer S extends
  | PaymentRequest
  | SecurityDeposit
  | CashOut
  | Template
  ? RawCollection<Tx, S, object, object>
  : never;

/** The collections that the routes serve. @internal */
export interface RequestCollections<Tx extends object> {
  /** Payment requests. */
  readonly payments: Of<Tx, PaymentRequest>;
  /** Security deposits. */
  readonly deposits: Of<Tx, SecurityDeposit>;
  /** Cash-outs. */
  readonly cashOuts: Of<Tx, CashOut>;
  /** Templates of payment requests. */
  readonly paymentTemplates: Of<Tx, Template>;
  /** Templates of security deposits. */
  readonly depositTemplates: Of<Tx, Template>;
}

type Kinds<Tx extends object> = {
  readonly payments: Pick<Kind<Tx, PaymentRequest>, 'view'>;
  readonly deposits: Pick<Kind<Tx, SecurityDeposit>, 'view'>;
  readonly cashOuts: Pick<Kind<Tx, CashOut>, 'view'>;
  readonly paymentTemplates: Pick<Kind<Tx, Template>, 'view'>;
  readonly depositTemplates: Pick<Kind<Tx, Template>, 'view'>;
};

/** All routes of {@link RequestCollections}. @internal */
export const requestRoutes = <Tx extends object>(
  deps: ResourceRouteDeps<Tx> & { readonly kit: Pick<RequestsKit<Tx, ObjectDefinition>, 'endpoints' | 'events'> },
  { payments, deposits, cashOuts, paymentTemplates, depositTemplates }: RequestCollections<Tx>,
  kinds: Kinds<Tx>,
  documents: RequestDocuments,
): readonly Route[] => {
  const ofRequests = ['recipientEmail', 'templateId'] as const;
  const cashOutResource = resourceOf(cashOuts, {
    path: 'cash-outs',
    document: documents.cashOuts,
    machine: cashOutMachine,
    view: kinds.cashOuts.view,
    filters: ['recipientEmail', 'depositId'],
  });
  const resources = [
    resourceOf(payments, {
      path: 'payment-requests',
      document: documents.payments,
      machine: paymentMachine,
      view: kinds.payments.view,
      filters: ofRequests,
    }),
    resourceOf(deposits, {
      path: 'security-deposits',
      document: documents.deposits,
      machine: depositMachine,
      view: kinds.deposits.view,
      filters: ofRequests,
    }),
    withinDeposit(cashOutResource, deposits.find),
    readOnly(cashOutResource),
    resourceOf(paymentTemplates, {
      path: 'payment-templates',
      document: documents.paymentTemplates,
      machine: paymentTemplateMachine,
      view: kinds.paymentTemplates.view,
      filters: [],
    }),
    resourceOf(depositTemplates, {
      path: 'security-deposit-templates',
      document: documents.depositTemplates,
      machine: depositTemplateMachine,
      view: kinds.depositTemplates.view,
      filters: [],
    }),
  ];
  return [
    ...resources.flatMap((resource) => resourceRoutes(deps, resource)),
    ...(deps.testEnvironments.length > 0 ? [webhookTestRoute(deps.kit, deps.testEnvironments)] : []),
  ];
};
