import { createPartnerkit, type EventType, type PartnerkitOptions } from '@partnerkit/core';
import type { Sender } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryAccessTokens, memoryStorage } from '@partnerkit/core/memory';
import { payment } from './postgres/load.ts';

type Options = PartnerkitOptions<MemoryTransaction, readonly [typeof payment]>;

/** A host with all its data in memory. */
export const memoryHost = (sender: Sender, options: Partial<Options> = {}) => {
  const storage = options.storage ?? memoryStorage();
  const kit = createPartnerkit({
    accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
    storage,
    tokens: memoryAccessTokens(),
    sender,
    sealingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }],
    objects: [payment],
    ...options,
  });
  return {
    kit,
    createEndpoint: async (
      account: string,
      url: string,
      type: EventType<'RequestPayment'> = 'payed',
    ): Promise<void> => {
      const created = await kit.endpoints.create(account, { url, events: [type] });
      if (created.isErr()) throw new Error(`No endpoint: ${created.error.code}.`);
    },
    /** Number of published events that are not dispatched yet. */
    waiting: async (): Promise<number> => (await storage.log.countBacklog()).undispatched,
    /** Delivers every published event. */
    deliver: async (): Promise<void> => void (await kit.worker().drain()),
  };
};
