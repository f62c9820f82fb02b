import { createPartnerkit, type Observability } from '@partnerkit/core';
import { type Clock, type Sender, type Storage, systemClock } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts } from '@partnerkit/core/memory';
// Objects need zod, which this package does without.
import { hostObjects } from '../../../testing/src/scripted/host-objects.ts';

/** The kit of one process of a host. */
export const openKit = <Tx extends object>(
  storage: Storage<Tx>,
  sender: Sender,
  { clock = systemClock, ...observability }: Observability & { readonly clock?: Clock } = {},
) =>
  createPartnerkit({
    accounts: memoryAccounts([{ id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' }]),
    storage,
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }], clock },
    objects: hostObjects,
    observe: observability,
  });

export const payed = (id: string, status = 'done') =>
  ({ accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id, status } }) as const;

/** Answers with each status in turn, the last again and again, each after `took` milliseconds. */
export const answering = (durationMs: number, ...statuses: readonly [number, ...number[]]): Sender => {
  let answers = 0;
  return {
    send: async () => {
      const status = statuses[Math.min(answers++, statuses.length - 1)] as number;
      return { kind: 'answered', status, body: 'an answer', durationMs };
    },
  };
};
