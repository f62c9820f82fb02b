import { type Account, createPartnerkit, defineObject } from '@partnerkit/core';
import type { Sender, Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts } from '@partnerkit/core/memory';
import { z } from 'zod';

/**
 * How long a worker that does not renew its lease keeps its shards, and how long an attempt may take: short, so that
 * shards change hands often.
 */
export const lease = 4_000;
export const deadline = 2_000;
/** A delivery is exhausted after five attempts. */
export const retries = [200, 500, 1_000, 2_000];
/** How many POSTs may be in flight to one endpoint: the default of a worker. */
export const maxInFlight = 8;

/** The host that every endpoint is on. It resolves to this machine. */
export const receiverHost = 'partner.test';

export const accountIds: readonly string[] = Array.from({ length: 24 }, (_, index) => `account-${index}`);
/** Half of all events are its own. */
export const [hugeAccount = ''] = accountIds;
/** It receives the events of the last four accounts, too. */
export const parentAccount = 'account-parent';
export const childAccounts = accountIds.slice(-4);

const accountOf = (id: string): Account => ({
  id,
  name: id,
  status: 'active',
  environment: 'prod',
  ...(childAccounts.includes(id) ? { parentId: parentAccount } : {}),
});

export const directory = memoryAccounts([...accountIds, parentAccount].map(accountOf));

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), nth: z.number() }),
  groups: { all: ['nth'] },
  events: { default: ['all'] },
});

export const sealingKeys = [{ id: 'k1', key: new Uint8Array(32).fill(1) }] as const;

/** The kit of the host, which publishes and manages endpoints; its worker is never started. */
export const openKit = <Tx extends object>(storage: Storage<Tx>) => {
  const sender: Sender = { send: () => Promise.reject(new Error('Only worker processes send.')) };
  const tokens = memoryAccessTokens();
  return createPartnerkit({
    accounts: directory,
    storage,
    tokens,
    sender,
    advanced: { sealingKeys },
    objects: [payment],
  });
};

/** Event `nth` of an object. */
export const eventOf = (accountId: string, objectId: string, nth: number) =>
  ({ accountId, objectName: 'RequestPayment', type: 'payed', data: { id: objectId, nth } }) as const;
