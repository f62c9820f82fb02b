import { createPartnerkit, type PartnerkitOptions } from '@partnerkit/core';
import type { Sender, Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts } from '@partnerkit/core/memory';
// Objects need zod, which this package does without.
import { hostObjects } from '../../../testing/src/scripted/host-objects.ts';

type Options<Tx extends object> = PartnerkitOptions<Tx, typeof hostObjects>;

/** The kit of one process of a host. */
export const openKit = <Tx extends object>(
  storage: Storage<Tx>,
  sender: Sender,
  options: Partial<Pick<Options<Tx>, 'observe' | 'traceContext' | 'clock'>> = {},
) =>
  createPartnerkit({
    accounts: memoryAccounts([{ id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' }]),
    storage,
    tokens: memoryAccessTokens(),
    sender,
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }],
    objects: hostObjects,
    ...options,
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
