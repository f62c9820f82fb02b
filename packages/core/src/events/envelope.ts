import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import { isObject } from '../runtime/is-object.ts';
import type { EpochSeconds } from '../runtime/time.ts';

/**
 * The webhook body (specification §2.3), as a partner reads it: `objectName` and `type` may be of the future.
 * @public
 */
export interface Envelope {
  readonly timestamp: EpochSeconds;
  readonly data: { readonly id: string; readonly [field: string]: unknown };
  readonly objectName: string;
  readonly type: string;
}

/** The envelope's text after its timestamp. @internal */
export const envelopeRest = (data: object, objectName: ObjectName, type: EventType): string =>
  `,"data":${JSON.stringify(data)},"objectName":"${objectName}","type":"${type}"}`;

/**
 * The whole text. What stores use to stamp an event.
 * @example
 * const body = envelopeText(1_732_147_200, ',"data":{"id":"p1"},"objectName":"RequestPayment","type":"payed"}');
 * @public
 */
export const envelopeText = (timestamp: EpochSeconds, rest: string): string => `{"timestamp":${timestamp}${rest}`;

/**
 * Reads a webhook body, `undefined` when it is not an envelope. Unknown fields pass (specification §6.5).
 * @public
 */
export const parseEnvelope = (text: string): Envelope | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { timestamp, data, objectName, type } = value;
  const sound =
    Number.isSafeInteger(timestamp) &&
    isObject(data) &&
    typeof data['id'] === 'string' &&
    typeof objectName === 'string' &&
    typeof type === 'string';
  return sound ? (value as unknown as Envelope) : undefined;
};
