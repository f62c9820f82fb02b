import type { InputOf, InputsOf } from '../define-kind.ts';
import { cashOut } from './cash-out.ts';
import { deposit } from './deposit.ts';
import { depositTemplate } from './deposit-template.ts';
import type { RequestKindName } from './names.ts';
import { payment } from './payment.ts';
import { paymentTemplate } from './payment-template.ts';

/** The kinds of objects, as hosts name them. @internal */
export const kinds = {
  payments: payment,
  deposits: deposit,
  cashOuts: cashOut,
  paymentTemplates: paymentTemplate,
  depositTemplates: depositTemplate,
} as const satisfies Readonly<Record<RequestKindName, object>>;

type Kinds = typeof kinds;
/** The stored record of a kind. @internal */
export type KindRecord<K extends RequestKindName> = Parameters<Kinds[K]['show']>[0];
/** The input that creates an object of a kind. @internal */
export type KindInput<K extends RequestKindName> = InputOf<Kinds[K]['create']['input']>;
/** The commands on an object of a kind, each with its input. @internal */
export type KindCommands<K extends RequestKindName> = InputsOf<Kinds[K]['commands']>;
/** The filters that lists of a kind have beside those of every list. @internal */
export type KindFilter<K extends RequestKindName> = Kinds[K]['filters'][number];
