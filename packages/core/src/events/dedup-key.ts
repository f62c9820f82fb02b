import type { Envelope } from './envelope.ts';

/**
 * The key by which a receiver recognises a duplicate (specification §6.5): objectName, data.id, type and timestamp.
 * @public
 */
export const dedupKey = ({ objectName, data, type, timestamp }: Envelope): string =>
  JSON.stringify([objectName, data.id, type, timestamp]);
