/** A name that nothing else of this kind has, in any account: ids of accounts have no NUL. */
export const nameIn = (accountId: string, id: string): string => `${accountId}\0${id}`;
