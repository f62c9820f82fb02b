import type { Clients, NewSecret } from '@partnerkit/core';

/** A client id and its secret, as a partner holds them. @internal */
export interface Key {
  readonly id: string;
  readonly secret: string;
}

/** "Add a key", or fail. @internal */
export const addKey = async (clients: Clients, accountId: string): Promise<NewSecret> => {
  const added = await clients.add(accountId, { name: 'suite' });
  if (added.isErr()) throw new Error(`The key was not added: ${added.error.code}.`);
  return added.value;
};

/** Makes a change that the kit must not refuse. @internal */
export const must = async (change: ReturnType<Clients['disable' | 'addSecret' | 'revokeToken']>): Promise<void> => {
  if ((await change).isErr()) throw new Error('The change was refused.');
};

/** Of the form of a client id; no client has it. @internal */
export const nobody = '00000000-0000-7000-8000-000000000000';
