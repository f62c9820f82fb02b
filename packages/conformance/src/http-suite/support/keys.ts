import type { Clients, NewClientSecret } from '@partnerkit/core';

/** A client id and its secret, as the partner has them. */
export interface Key {
  readonly id: string;
  readonly secret: string;
}

/** Adds a client with a key to an account; throws on failure. */
export const addKey = async (clients: Clients, accountId: string): Promise<NewClientSecret> => {
  const added = await clients.create(accountId, { name: 'suite' });
  if (added.isErr()) throw new Error(`The key was not added: ${added.error.code}.`);
  return added.value;
};

/** Makes a change that the kit must accept. */
export const must = async (change: ReturnType<Clients['disable' | 'addSecret' | 'revokeToken']>): Promise<void> => {
  if ((await change).isErr()) throw new Error('The change was refused.');
};

/** A well-formed client id that no client has. */
export const nobody = '00000000-0000-7000-8000-000000000000';
