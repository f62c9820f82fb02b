import { z } from 'zod';
import { toSeconds } from '../runtime/time.ts';
import { present } from './fields.ts';
import type { StoredRecord } from './record.ts';

/** The partner's view of the common fields. @internal */
export const recordView = {
  id: z.string(),
  status: z.string(),
  reference: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  reason: z.object({ code: z.string(), text: z.string().optional() }).optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
};

/** The partner's view of a recipient. @internal */
export const recipientView = z.object({ email: z.string(), name: z.string().optional() });

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
