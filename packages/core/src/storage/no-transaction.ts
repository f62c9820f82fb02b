const text =
  'tx: this is no open transaction: hand over the one that you began, and await its begin; ' +
  "or 'new' when there is none.";

/** The rejection of `EventStore.append` when `tx` is no open transaction. @public */
export const noTransaction = (): TypeError => Object.assign(new TypeError(text), { code: 'no_transaction' });
