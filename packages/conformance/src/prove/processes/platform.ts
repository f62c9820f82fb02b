import { createPartnerkit, defineObject } from '@partnerkit/core';
import type { Sender, Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts } from '@partnerkit/core/memory';
import { z } from 'zod';

/** Two endpoints of each account get every event. */
export const accountIds: readonly string[] = ['account-0', 'account-1', 'account-2', 'account-3'];

/** What handlers wrote in their transaction: an event of this account for each event that they handled. */
export const effectsAccountId = 'effects';

/** The paths of the endpoints of an account. */
export const pathsOf = (accountId: string): readonly string[] => [`/${accountId}/steady`, `/${accountId}/flaky`];

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), n: z.number() }),
  groups: { all: ['n'] },
  events: { default: ['all'] },
});

/** The same kit in every process: the storage holds what they share. */
export const openKit = <Tx extends object>(storage: Storage<Tx>, sender: Sender) =>
  createPartnerkit({
    accounts: memoryAccounts(
      [...accountIds, effectsAccountId].map((id) => ({ id, name: id, status: 'active', environment: 'prod' })),
    ),
    storage,
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] },
    objects: [payment],
  });

/** A storage that several processes share. */
export type SharedStorage = Storage<object> & { close(): void };

/** Why there is no storage for several processes. */
export class NoStorage extends Error {
  override readonly name = 'NoStorage';
}

export const isNoStorage = (cause: unknown): cause is NoStorage => Object(cause).name === 'NoStorage';

/** Where the storage of all processes is, and the module that opens it. */
export interface StoragePlace {
  /** A file of SQLite, or what `openStorage` of the module takes. */
  readonly at: string;
  /**
   * `@partnerkit/sqlite`, or a file of it: it is no dependency, who wants this proof installs it. Or a module that
   * exports `openStorage(at)`.
   */
  readonly module: string;
}

/** @throws NoStorage when the module is not installed, or this Node.js has no SQLite. */
export const openStorage = async ({ at, module }: StoragePlace): Promise<SharedStorage> => {
  const { sqliteStorage, openStorage: open } = await import(module).catch(() => {
    throw new NoStorage(`${module} is not installed`);
  });
  if (open !== undefined) return open(at);
  try {
    // What is proved is the end of processes, not the loss of power.
    return sqliteStorage(at, { synchronous: 'normal' });
  } catch (cause) {
    throw new NoStorage((cause as Partial<Error>).message ?? String(cause));
  }
};
