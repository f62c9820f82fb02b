import { isId } from '../runtime/id.ts';

/**
 * What identifies a delivery within its account.
 * @public
 */
export interface DeliveryKey {
  readonly accountId: string;
  readonly eventId: string;
  readonly endpointId: string;
  /** 0: the delivery that dispatch makes. From 1: made by `replay` or `sendAgain`. */
  readonly replay: number;
}

/**
 * The id of a delivery: event, endpoint and, for one that was made by `replay` or `sendAgain`, its number. Whoever takes a delivery over
 * finds it under the same id.
 * @example
 * deliveryIdOf({ accountId, eventId, endpointId, replay: 0 });
 * @public
 */
export const deliveryIdOf = ({ eventId, endpointId, replay }: DeliveryKey): string =>
  replay === 0 ? `${eventId}.${endpointId}` : `${eventId}.${endpointId}.${replay}`;

const maxReplay = 32_767;

/** Reads the id of a delivery; `undefined` when it is none. @public */
export const parseDeliveryId = (accountId: string, deliveryId: string): DeliveryKey | undefined => {
  const [eventId = '', endpointId = '', number = '0', more] = deliveryId.split('.');
  const replay = Number(number);
  const isSound =
    isId(eventId) && isId(endpointId) && more === undefined && /^\d{1,5}$/.test(number) && replay <= maxReplay;
  const key = { accountId, eventId, endpointId, replay };
  // One delivery has one id: leading zeros make another text.
  return isSound && deliveryIdOf(key) === deliveryId ? key : undefined;
};
