import type { ExtensionFields, RequestExtensions } from '../extensions/extension.ts';
import type { RequestHistoryEntry } from '../fields/history.ts';
import type { RequestTypes } from '../kinds/all.ts';
import type { RequestKindName } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';
import type { StoredTransaction } from '../stores/transaction-store.ts';
import type { filledIn } from './stored-fields.ts';

type FilledIn = (typeof filledIn)[number];
/** A record whose fields that an import fills in may be absent. */
type Brought<R extends StoredRequest> = Omit<R, FilledIn | 'importedAt'> & Partial<Pick<R, FilledIn & keyof R>>;
type ObjectOf<K extends RequestKindName> = RequestTypes[K]['object'];
type RecordOf<X extends RequestExtensions, K extends RequestKindName> = Brought<RequestTypes[K]['record']> &
  ExtensionFields<X, K>;

type ObjectRow<X extends RequestExtensions, K extends RequestKindName> = {
  readonly kind: 'request';
  readonly object: ObjectOf<K>;
  /**
   * The object, as it is stored: amounts in the smallest unit of the currency, times in milliseconds since 1970.
   *
   * - `environment`: that of the account. `createdBy`, `updatedBy`: the host.
   * - `version` and `updatedAt`: those of its last history entry; without history, 1 and `createdAt`.
   * - `sums`, `transactions`, `transactionCount`: made of its transactions where all three are absent.
   * - `cashOuts` of a deposit: a summary of each of its cash-outs, which come later. Absent: none.
   */
  readonly request: RecordOf<X, K>;
};

type TemplateRow<X extends RequestExtensions, K extends RequestKindName> = {
  readonly kind: 'template';
  readonly object: ObjectOf<K>;
  /** The template, as it is stored. The same fields are filled in as of a request. */
  readonly template: RecordOf<X, K>;
};

/**
 * A row of `requests.import`: a line of an export, or one of another system in the same form. The history of an object
 * and its transactions follow its row. Other lines of an export are passed over.
 * @public
 */
export type RequestRow<X extends RequestExtensions = Record<never, never>> =
  | ObjectRow<X, 'payments'>
  | ObjectRow<X, 'deposits'>
  | ObjectRow<X, 'cashOuts'>
  | TemplateRow<X, 'paymentTemplates'>
  | TemplateRow<X, 'depositTemplates'>
  | {
      readonly kind: 'history';
      /** The kind of the object. @defaultValue that of the object before */
      readonly object?: ObjectOf<RequestKindName>;
      /** Its id. @defaultValue that of the object before */
      readonly objectId?: string;
      /** A command that was given on the object, oldest first. */
      readonly entry: RequestHistoryEntry;
    }
  | {
      readonly kind: 'transaction';
      /**
       * A transaction of the object.
       *
       * - `id`: derived from the object, the kind and the reference. `isTimed`: `true`.
       * - `number`: counts those of the object with its kind and reference from 1.
       */
      readonly transaction: Omit<StoredTransaction, FilledInTransaction> &
        Partial<Pick<StoredTransaction, FilledInTransaction>>;
    }
  | { readonly kind: 'catalogue' | 'client' | 'endpoint' | 'alert_address' | 'event' | 'delivery' | 'access' };

type FilledInTransaction = 'id' | 'accountId' | 'environment' | 'object' | 'objectId' | 'number' | 'isTimed';
