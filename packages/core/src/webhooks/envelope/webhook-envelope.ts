import { isObject } from '../../base/runtime/is-object.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import type { EpochSeconds } from '../../base/runtime/time.ts';
import { type Envelope, parseEnvelope } from './envelope.ts';
import { timeOf } from './envelope-template.ts';

/**
 * An event, as an envelope writes it.
 * @public
 */
export interface EnvelopeEvent {
  /** The id of the event, the same on every attempt. */
  readonly id: string;
  /** In seconds since 1970; strictly increasing for one `data.id`. */
  readonly timestamp: EpochSeconds;
  /** The timestamp as a date and time: `2026-11-25T14:23:07Z`. */
  readonly time: string;
  /** The account that published the event. */
  readonly accountId: string;
  /** The kind of the object. */
  readonly objectName: string;
  /** The event type. */
  readonly type: string;
  /** The object, reduced to the fields of the event type. */
  readonly data: Envelope['data'];
}

/**
 * What an envelope reads: the event, and where the body has them, its id and its account.
 * @public
 */
export interface ReadEnvelope extends Envelope {
  /** The id of the event. */
  readonly id?: string;
  /** The account that published the event. */
  readonly accountId?: string;
}

/**
 * The form of a webhook body, as a value: `specificationEnvelope()`, `standardWebhooksEnvelope()` or
 * `defineEnvelope({ … })`.
 * @public
 */
export interface WebhookEnvelope {
  /** Its name, unique in a kit. */
  readonly name: string;
  /** Writes the JSON text of an event. Absent in the specification's, which partnerkit writes itself. */
  readonly write?: (event: EnvelopeEvent) => string;
  /** Reads a body; `undefined` when it is none. Absent: the receiver of partnerkit cannot read it. */
  readonly read?: (text: string) => ReadEnvelope | undefined;
}

/**
 * The envelope of the specification (§2.3): `timestamp`, `data`, `objectName`, `type`. The default.
 * @example
 * const read = specificationEnvelope().read?.(webhookBody);
 * console.log(read?.objectName, read?.data.id);
 * @public
 */
export const specificationEnvelope = (): WebhookEnvelope => ({ name: 'specification', read: parseEnvelope });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readStandard = (text: string): Envelope | undefined => {
  const value = parse(text);
  if (!isObject(value) || !isObject(value['data']) || typeof value['type'] !== 'string') return undefined;
  const { type, timestamp, data } = value;
  const dot = type.indexOf('.');
  if (dot < 1 || typeof timestamp !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(timestamp))
    return undefined;
  const seconds = Math.floor(Date.parse(timestamp) / 1_000);
  if (!Number.isSafeInteger(seconds) || typeof data['id'] !== 'string') return undefined;
  return {
    timestamp: seconds,
    data: data as Envelope['data'],
    objectName: type.slice(0, dot),
    type: type.slice(dot + 1),
  };
};

/**
 * The envelope of Standard Webhooks (version 1.0.0): `type`, such as `RequestPayment.payed`, `timestamp` as a date and
 * time, and `data`.
 * @example
 * const profiles = { standard: { envelope: standardWebhooksEnvelope() } };
 * const kit = createPartnerkit({ ...options, webhooks: { profiles } });
 * @public
 */
export const standardWebhooksEnvelope = (): WebhookEnvelope => ({
  name: 'standard-webhooks',
  write: ({ objectName, type, time, data }) => JSON.stringify({ type: `${objectName}.${type}`, timestamp: time, data }),
  read: readStandard,
});

/**
 * An envelope of the host. `write` returns one JSON object for an event. It depends on its argument alone, writes the
 * timestamp as `timestamp` or `time`, and contains what a receiver deduplicates by: `id`, or `data.id` with the
 * timestamp. The kit checks that when it is made, with a sample of each pair of the catalogue, and calls `write` twice
 * for each published event, never for an attempt.
 * @example
 * const ours = defineEnvelope({
 *   name: 'acme',
 *   write: ({ id, timestamp, objectName, type, data }) =>
 *     JSON.stringify({ id, created: timestamp, event: `${objectName}.${type}`, object: data }),
 * });
 * @throws TypeError when an option is wrong.
 * @public
 */
export const defineEnvelope = (envelope: {
  /** 1 to 32 of `a-z 0-9 _ -`, unique in a kit. Stored with each event: it must not change its meaning. */
  readonly name: string;
  /** Writes the JSON text of an event. */
  readonly write: (event: EnvelopeEvent) => string;
  /** Reads a body, for the receiver of partnerkit; `undefined` when it is none. @defaultValue none */
  readonly read?: (text: string) => ReadEnvelope | undefined;
}): WebhookEnvelope => {
  assertOptionNames('defineEnvelope', envelope, { name: true, write: true, read: true });
  const { name, write, read } = envelope;
  if (
    typeof name !== 'string' ||
    !/^[a-z0-9_-]{1,32}$/.test(name) ||
    ['specification', 'standard-webhooks'].includes(name)
  )
    throw new TypeError('defineEnvelope: name takes 1 to 32 of a-z 0-9 _ -, and is none of partnerkit.');
  if (typeof write !== 'function') throw new TypeError('defineEnvelope: write must be a function.');
  if (read !== undefined && typeof read !== 'function') throw new TypeError('defineEnvelope: read must be a function.');
  return { name, write, ...(read ? { read } : {}) };
};

/** The event with a stamp. */
export const stamped = (
  event: Omit<EnvelopeEvent, 'id' | 'timestamp' | 'time'>,
  { id, timestamp }: Pick<EnvelopeEvent, 'id' | 'timestamp'>,
): EnvelopeEvent => ({ ...event, id, timestamp, time: timeOf(timestamp) });
