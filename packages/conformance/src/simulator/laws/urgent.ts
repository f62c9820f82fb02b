import { deliveryKey, keyText } from '../delivery-key.ts';
import type { SentPost } from '../trace.ts';
import type { Facts } from './facts.ts';
import { type DeliveryRecord, isUnsent } from './ledger.ts';

/** Whether it is the first attempt of a test event. */
const isTest = ({ ledger }: Facts, { accountId, eventId, replay, rows }: DeliveryRecord, post: SentPost): boolean =>
  replay === 0 &&
  ledger.dispatches.get(`${accountId} ${eventId}`)?.event.onlyTo !== undefined &&
  !rows.some(({ order, outcome }) => order < post.order && !isUnsent(outcome));

/** Whether an operator sent it again since its last attempt was stored. */
const isSentAgain = ({ callsOf }: Facts, { id, rows }: DeliveryRecord, post: SentPost): boolean =>
  callsOf('log.sendAgain').some(
    ({ args: [{ accountId }], result, order = 0 }) =>
      result?.kind === 'sent' &&
      keyText(deliveryKey(accountId, result.deliveryId)) === id &&
      order < post.order &&
      !rows.some((row) => row.order > order && row.order < post.order),
  );

/** Whether the breaker's pause does not delay an attempt: a person asked for it. */
export const isUrgent = (facts: Facts, post: SentPost): boolean => {
  const delivery = facts.ledger.deliveryOf(post);
  return delivery !== undefined && (isTest(facts, delivery, post) || isSentAgain(facts, delivery, post));
};
