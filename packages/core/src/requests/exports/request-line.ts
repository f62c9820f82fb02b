import type { RequestHistoryEntry } from '../fields/history.ts';
import type { RequestTypes } from '../kinds/all.ts';
import type { RequestKindName } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';
import type { StoredTransaction } from '../stores/transaction-store.ts';

/** An object as it is exported: what one database alone knows of it is left out. */
type Exported<R extends StoredRequest> = Omit<R, 'importedAt'>;

type ObjectOf<K extends RequestKindName> = RequestTypes[K]['object'];
type RecordOf<K extends RequestKindName> = Exported<RequestTypes[K]['record']>;

/** The line of a payment request, a security deposit or a cash-out. */
type ObjectLine<K extends RequestKindName> = {
  readonly kind: 'request';
  readonly object: ObjectOf<K>;
  /** The object, as stored: amounts in the smallest unit, times in milliseconds. */
  readonly request: RecordOf<K>;
};

type TemplateLine<K extends RequestKindName> = {
  readonly kind: 'template';
  readonly object: ObjectOf<K>;
  /** The template, as stored. */
  readonly template: RecordOf<K>;
};

/**
 * Lines of requests in an export. An object's line comes first, then those of its history, then those of its
 * transactions. Deposits come before cash-outs.
 * @public
 */
export type RequestLine =
  | ObjectLine<'payments'>
  | ObjectLine<'deposits'>
  | ObjectLine<'cashOuts'>
  | TemplateLine<'paymentTemplates'>
  | TemplateLine<'depositTemplates'>
  /** One entry of the history of the object whose line came last. */
  | {
      readonly kind: 'history';
      readonly object: ObjectOf<RequestKindName>;
      readonly objectId: string;
      readonly entry: RequestHistoryEntry;
    }
  /** One transaction of the object whose line came last. */
  | { readonly kind: 'transaction'; readonly transaction: StoredTransaction };
