import { z } from 'zod';
import { documentation } from '#documentation';
import { toSeconds } from '../runtime/time.ts';
import { present } from './fields.ts';
import type { StoredRecord } from './record.ts';

/** Seconds since 1970. @internal */
export const secondsView = z.int().register(documentation, {
  description: 'Seconds since 1970-01-01T00:00:00Z.',
  examples: [1_798_761_600],
  keywords: { minimum: 0 },
});
/** A calendar date. @internal */
export const dateView = z.string().register(documentation, { keywords: { format: 'date' } });
/** The page for the payment. @internal */
export const urlView = z.string().register(documentation, { keywords: { format: 'uri' } });

/** The partner's view of the common fields. @internal */
export const recordView = {
  id: z.string(),
  status: z.string(),
  reference: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  reason: z.object({ code: z.string(), text: z.string().optional() }).optional(),
  createdAt: secondsView,
  updatedAt: secondsView,
};

/** The partner's view of a recipient. @internal */
export const recipientView = z.object({
  email: z.string().register(documentation, { keywords: { format: 'email' } }),
  name: z.string().optional(),
});

/** The partner's view of an object: the common fields around its own. @internal */
export const viewRecord = <F extends object>(
  { id, status, reference, metadata, reason, createdAt, updatedAt }: StoredRecord,
  own: F,
) => ({
  id,
  status,
  ...own,
  ...present({ reference, metadata, reason }),
  createdAt: toSeconds(createdAt),
  updatedAt: toSeconds(updatedAt),
});
