/**
 * The rejection of `EventStore.append` when `tx` is no open transaction; `publish` returns its code and message.
 * @param what - What `tx` is instead, and the remedy.
 * @example
 * const assertOpen = (tx: { readonly isOpen: boolean }): void => {
 *   if (!tx.isOpen) throw noTransaction('this transaction has ended: publish before it does');
 * };
 * @public
 */
export const noTransaction = (
  what = 'this is no open transaction: hand over the one that you began, and await its begin',
): TypeError => Object.assign(new TypeError(`tx: ${what}; or 'new' when there is none.`), { code: 'no_transaction' });
