import { isObject } from '../runtime/is-object.ts';
import type { EpochSeconds } from '../runtime/time.ts';

/**
 * A webhook body (specification §2.3), as a receiver parses it.
 * @public
 */
export interface Envelope {
  /** When it happened, in seconds since 1970; strictly increasing for one `data.id`. */
  readonly timestamp: EpochSeconds;
  /** The object, reduced to the fields of the event type. */
  readonly data: {
    /** The id of the object. */
    readonly id: string;
    readonly [field: string]: unknown;
  };
  /** The kind of the object; later versions may add names. */
  readonly objectName: string;
  /** The event type; later versions may add types. */
  readonly type: string;
}

/** The text of the envelope after its timestamp. @internal */
export const envelopeRest = (data: object, objectName: string, type: string): string =>
  `,"data":${JSON.stringify(data)},"objectName":"${objectName}","type":"${type}"}`;

/**
 * The text of an envelope. Stores use it to dispatch an event.
 * @example
 * const body = envelopeText(1_732_147_200, ',"data":{"id":"p1"},"objectName":"RequestPayment","type":"payed"}');
 * @public
 */
export const envelopeText = (timestamp: EpochSeconds, rest: string): string => `{"timestamp":${timestamp}${rest}`;

/**
 * Parses a webhook body; `undefined` when it is not an envelope. Unknown fields are allowed (specification §6.5).
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
