import type { ObjectKind } from '../../base/signals/actor.ts';

/** The names of the kinds. They stand alone, so that a kit without requests loads no kind. */
export const kindNames: readonly RequestKindName[] = [
  'payments',
  'deposits',
  'cashOuts',
  'paymentTemplates',
  'depositTemplates',
];
/** The name of a kind of objects. @public */
export type RequestKindName = 'payments' | 'deposits' | 'cashOuts' | 'paymentTemplates' | 'depositTemplates';

/** The kinds of objects, as signals and exports name them. */
export const objectKinds = {
  payments: 'RequestPayment',
  deposits: 'RequestSecurityDeposit',
  cashOuts: 'CashOut',
  paymentTemplates: 'ModelRequestPayment',
  depositTemplates: 'ModelRequestSecurityDeposit',
} as const satisfies Readonly<Record<RequestKindName, ObjectKind>>;

/** One value for each kind. */
export const forEachKind = <T>(make: (name: RequestKindName) => T): Readonly<Record<RequestKindName, T>> =>
  Object.fromEntries(kindNames.map((name) => [name, make(name)])) as Record<RequestKindName, T>;
