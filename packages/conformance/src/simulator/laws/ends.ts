import type { Delivery } from '@partnerkit/core';
import { deliveryKey, keyText } from '../delivery-key.ts';
import { describe } from './attempts.ts';
import { excusesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { outside } from './intervals.ts';
import { counts, type DeliveryRecord } from './ledger.ts';
import { lease } from './numbers.ts';
import { unsettledOf } from './unsettled.ts';

/** Whether only its owner knows that the delivery is held: it is in memory, and the owner may be gone. */
const isOnlyInMemory = (facts: Facts, { accountId, eventId, endpointId, replay }: DeliveryRecord): boolean => {
  const { trace, endpoints } = facts;
  const isUnsettled = unsettledOf(facts).some(
    (each) =>
      each.dispatch.accountId === accountId &&
      each.dispatch.event.id === eventId &&
      each.endpointId === endpointId &&
      each.settledOrder === Number.POSITIVE_INFINITY,
  );
  const from = endpoints.get(endpointId)?.at(-1)?.from ?? 0;
  const wait = outside({ from, to: trace.endedAt }, excusesOf(facts).general);
  return replay === 0 && isUnsettled && wait < trace.history.pollEvery + lease;
};

export const endsAreStored: Law = {
  name: 'what is committed is delivered, exhausted, held or expired',
  check: (facts) => {
    const { ledger, trace, endpoints } = facts;
    const textOf = (delivery: Pick<Delivery & { accountId: string }, 'accountId' | 'id'>): string =>
      keyText(deliveryKey(delivery.accountId, delivery.id));
    const youngest = trace.history.retention.events / 2;
    const listed = new Set(trace.deliveries.map(textOf));
    const lost = firstWrong(ledger.deliveries.values(), (delivery) => {
      const { endpointId, rows, createdAt, id } = delivery;
      const isOld = createdAt < trace.endedAt - youngest;
      if (isOld || rows.some(({ state }) => state !== undefined) || !endpoints.get(endpointId)?.at(-1)?.endpoint)
        return undefined;
      return !listed.has(id) && `${describe(delivery)} is neither finished nor waiting`;
    });
    if (lost) return lost;
    return firstWrong(trace.deliveries, (delivery) => {
      const { id, state, attempts, endpointId } = delivery;
      const record = ledger.deliveries.get(textOf(delivery));
      const end = record?.rows.find((row) => row.state !== undefined)?.state;
      if (end !== undefined) {
        const recent = record?.rows.filter(({ at }) => at > trace.endedAt - trace.history.retention.events);
        const made = recent?.filter(({ outcome }) => counts(outcome)).length ?? 0;
        if (state !== end && recent?.length === record?.rows.length)
          return `delivery ${id} was ${end}, and is ${state}`;
        return (
          recent?.length === record?.rows.length &&
          attempts !== made &&
          `delivery ${id} has ${attempts} attempts, and not ${made}`
        );
      }
      const endpoint = endpoints.get(endpointId)?.at(-1)?.endpoint;
      if (state === 'held' && (!endpoint || endpoint.state === 'enabled'))
        return `delivery ${id} is held, and its endpoint is not disabled`;
      if (state === 'waiting' && endpoint?.state !== 'enabled' && !(record && isOnlyInMemory(facts, record)))
        return `delivery ${id} waits, and its endpoint is not enabled`;
      return (
        (state === 'delivered' || state === 'exhausted') && `delivery ${id} is ${state}, though nobody settled that`
      );
    });
  },
};
