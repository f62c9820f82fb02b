import type { Envelope } from '../envelope/envelope.ts';

/**
 * The deduplication key of an envelope (specification §6.5): `objectName`, `data.id`, `type` and `timestamp`.
 * @public
 */
export const dedupKey = ({ objectName, data, type, timestamp }: Envelope): string =>
  JSON.stringify([objectName, data.id, type, timestamp]);
