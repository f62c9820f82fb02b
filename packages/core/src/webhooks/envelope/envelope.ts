import { isObject } from '../../base/runtime/is-object.ts';
import type { EpochSeconds } from '../../base/runtime/time.ts';
import type { EnvelopeTemplate } from './envelope-template.ts';

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

/** Maximum size of a webhook body: 256 KiB. */
export const maxBodyBytes = 256 * 1_024;

/** The text of the envelope after its timestamp. */
export const envelopeRest = (data: object, objectName: string, type: string): string =>
  `,"data":${JSON.stringify(data)},"objectName":"${objectName}","type":"${type}"}`;

/** The text after the timestamp; before it stand texts of other envelopes, on a line of their own. */
const restOf = (bodyTail: string): string =>
  isPlain(bodyTail) ? bodyTail : bodyTail.slice(bodyTail.indexOf('\n') + 1);
const isPlain = (bodyTail: string): boolean => bodyTail.charCodeAt(0) === 0x2c;

/**
 * The text of an envelope of the specification. Stores use it to dispatch an event.
 * @example
 * const body = envelopeText(1_732_147_200, ',"data":{"id":"p1"},"objectName":"RequestPayment","type":"payed"}');
 * @public
 */
export const envelopeText = (timestamp: EpochSeconds, bodyTail: string): string =>
  `{"timestamp":${timestamp}${restOf(bodyTail)}`;

/** Texts of an event in other envelopes, by the name of the envelope. */
export type OtherTexts = Readonly<Record<string, EnvelopeTemplate>>;

/** The `bodyTail` of an event that has texts in other envelopes too. JSON has no line end in it. */
export const withOtherTexts = (rest: string, others: OtherTexts): string => `${JSON.stringify(others)}\n${rest}`;

/** The texts of an event in other envelopes. */
export const otherTexts = (bodyTail: string): OtherTexts =>
  isPlain(bodyTail) ? {} : JSON.parse(bodyTail.slice(0, bodyTail.indexOf('\n')));

const isEnvelope = (value: unknown): value is Envelope => {
  if (!isObject(value)) return false;
  const { timestamp, data, objectName, type } = value;
  return (
    Number.isSafeInteger(timestamp) &&
    isObject(data) &&
    typeof data['id'] === 'string' &&
    typeof objectName === 'string' &&
    typeof type === 'string'
  );
};

/**
 * Parses a webhook body; `undefined` when it is not an envelope. Unknown fields are allowed (specification §6.5).
 * @example
 * const envelope = parseEnvelope(webhookBody);
 * if (envelope?.objectName === 'RequestPayment') console.log(envelope.type, envelope.data.id);
 * @public
 */
export const parseEnvelope = (text: string): Envelope | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isEnvelope(value) ? value : undefined;
};
