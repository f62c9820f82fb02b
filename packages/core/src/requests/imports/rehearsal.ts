import type { StoredRequest } from '../record/record.ts';
import type { ReferenceKey } from '../stores/references.ts';
import type { StoredTransaction } from '../stores/transaction-store.ts';
import { contentOf } from './content.ts';
import type { Brought } from './read-object.ts';

const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);
const ofReference = ({ account, object, reference }: ReferenceKey): string =>
  keyOf(account.id, account.environment, object, reference);
const ofTransaction = ({ accountId, environment, kind, processorReference, id, number }: StoredTransaction): string =>
  keyOf(accountId, environment, kind, processorReference ?? id, number);

/** What a dry run would have stored: names, digests, and deposits that have cash-outs. */
export const createRehearsal = () => {
  const objects = new Map<string, { readonly accountId: string; readonly content: string }>();
  const references = new Set<string>();
  const transactions = new Set<string>();
  const deposits = new Map<string, StoredRequest>();
  return {
    /** Notes an object that would be stored. `object`: its kind, as references name it. */
    add: (brought: Brought, object: ReferenceKey['object']): void => {
      const { name, record } = brought;
      const { id, accountId, environment, reference } = record;
      objects.set(keyOf(name, id), { accountId, content: contentOf(brought) });
      for (const each of brought.transactions) transactions.add(ofTransaction(each));
      if (reference !== undefined)
        references.add(ofReference({ account: { id: accountId, environment }, object, reference }));
      const { cashOuts = [] } = record as StoredRequest & { readonly cashOuts?: readonly object[] };
      if (name === 'deposits' && cashOuts.length > 0) deposits.set(keyOf(accountId, environment, id), record);
    },
    /** The account and the content of an object that would be stored. */
    find: ({ name, record: { id } }: Brought) => objects.get(keyOf(name, id)),
    hasReference: (key: ReferenceKey): boolean => references.has(ofReference(key)),
    hasTransaction: (row: StoredTransaction): boolean => transactions.has(ofTransaction(row)),
    depositOf: ({ accountId, environment }: StoredRequest, id: string): StoredRequest | undefined =>
      deposits.get(keyOf(accountId, environment, id)),
  };
};
export type Rehearsal = ReturnType<typeof createRehearsal>;
