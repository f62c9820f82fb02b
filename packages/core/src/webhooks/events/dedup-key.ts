import type { Envelope } from '../envelope/envelope.ts';

/**
 * The deduplication key of an envelope (specification §6.5): `objectName`, `data.id`, `type` and `timestamp`.
 * @example
 * const envelope = parseEnvelope(webhookBody);
 * const key = envelope && dedupKey(envelope); // the same for each repeated delivery of an event
 * @public
 */
export const dedupKey = ({ objectName, data, type, timestamp }: Envelope): string =>
  JSON.stringify([objectName, data.id, type, timestamp]);
