import { randomUUID } from 'node:crypto';
import { defineObject } from '@partnerkit/core';
import { z } from 'zod';

/** Accounts with an endpoint for each type. Each event makes one delivery, as each job of a queue is one POST. */
export const accounts: readonly string[] = Array.from({ length: 40 }, (_, place) => `acc_${place}`);
export const types = ['creation', 'update', 'payed', 'cancel', 'transaction_failed'] as const;

export const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), note: z.string() }),
  groups: { all: ['note'] },
  events: { default: ['all'] },
});

/** Makes the body 600 bytes long. */
const note = 'x'.repeat(466);

/** The event at this position: accounts and types alternate, each with a new object. */
export const eventAt = (place: number) => ({
  accountId: accounts[place % accounts.length] as string,
  objectName: 'RequestPayment' as const,
  type: types[Math.floor(place / accounts.length) % types.length] as (typeof types)[number],
  data: { id: `pay_${randomUUID()}`, note },
});

/** The same as bytes, for sides that store nothing. */
export const bodyAt = (place: number): string => {
  const { data, objectName, type } = eventAt(place);
  return JSON.stringify({ timestamp: Math.floor(Date.now() / 1_000), data, objectName, type });
};

/** Number of POSTs in flight. */
export const inFlight = 64;
