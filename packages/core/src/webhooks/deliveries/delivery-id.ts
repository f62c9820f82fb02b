import { isId } from '../../base/runtime/id.ts';

/**
 * The key of a delivery.
 * @public
 */
export interface DeliveryKey {
  readonly accountId: string;
  readonly eventId: string;
  readonly endpointId: string;
  /** 0 for the delivery created by dispatch; from 1 for those created by `replay` or `sendAgain`. */
  readonly replay: number;
}

/**
 * The id of a delivery: event, endpoint and, from 1, the number of the repeated delivery. Every worker derives the same
 * id.
 * @example
 * deliveryIdOf({ accountId, eventId, endpointId, replay: 0 });
 * @public
 */
export const deliveryIdOf = ({ eventId, endpointId, replay }: DeliveryKey): string =>
  replay === 0 ? `${eventId}.${endpointId}` : `${eventId}.${endpointId}.${replay}`;

const maxReplay = 32_767;

/**
 * Parses the id of a delivery. Returns `undefined` for a malformed id.
 * @example
 * parseDeliveryId(accountId, deliveryId)?.eventId;
 * @public
 */
export const parseDeliveryId = (accountId: string, deliveryId: string): DeliveryKey | undefined => {
  const [eventId = '', endpointId = '', number = '0', more] = deliveryId.split('.');
  const replay = Number(number);
  const isSound =
    isId(eventId) && isId(endpointId) && more === undefined && /^\d{1,5}$/.test(number) && replay <= maxReplay;
  const key = { accountId, eventId, endpointId, replay };
  // Leading zeros would give one delivery several ids.
  return isSound && deliveryIdOf(key) === deliveryId ? key : undefined;
};
