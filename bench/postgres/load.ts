import { randomUUID } from 'node:crypto';
import { defineObject } from '@partnerkit/core';
import { z } from 'zod';

export const types = ['creation', 'update', 'payed', 'cancel', 'transaction_failed'] as const;

export const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), note: z.string() }),
  events: { default: ['note'] },
});
/** Its events are selected by endpoints, and never published. */
export const template = defineObject('ModelRequestPayment', {
  schema: z.object({ id: z.string() }),
  events: { deletion: [] },
});

/** What is published. */
export interface LoadOptions {
  /** Number of accounts. @defaultValue 40 */
  readonly accounts?: number;
  /** Length of a body, in bytes. @defaultValue 600 */
  readonly bodyBytes?: number;
}

/** Bytes of a body without its note. */
const frame = 134;

/** Accounts, and events of them. Each event makes one delivery, as each job of a queue is one POST. */
export const createLoad = ({ accounts: count = 40, bodyBytes = 600 }: LoadOptions = {}) => {
  const accounts: readonly string[] = Array.from({ length: count }, (_, place) => `acc_${place}`);
  const note = 'x'.repeat(bodyBytes - frame);
  return {
    accounts,
    /** The event at this position: accounts and types alternate, each with a new object of a random id. */
    eventAt: (place: number) => ({
      accountId: accounts[place % count] as string,
      objectName: 'RequestPayment' as const,
      type: types[Math.floor(place / count) % types.length] as (typeof types)[number],
      data: { id: `pay_${randomUUID()}`, note },
    }),
  };
};

export const { accounts, eventAt } = createLoad();

/** The same as bytes, for sides that store nothing. */
export const bodyAt = (place: number): string => {
  const { data, objectName, type } = eventAt(place);
  return JSON.stringify({ timestamp: Math.floor(Date.now() / 1_000), data, objectName, type });
};

/** Number of POSTs in flight. */
export const inFlight = 64;
