import { z } from 'zod';
import { isClientId } from '../../access/clients/client-id.ts';
import { identifier } from '../../base/fields/values.ts';
import { dotSegmentRule, isDotSegment } from '../../base/http/path-segment.ts';
import { once } from '../../base/runtime/once.ts';

const isPathId = (id: string): boolean => !isDotSegment(id);

/** An account, which paths name. */
export const accountId = once(() => identifier().refine(isPathId, dotSegmentRule));
/** A client, which paths of the management API name. */
export const clientId = once(() =>
  z
    .string()
    .refine(isClientId, '1 to 128 visible ASCII characters, with blanks only between them.')
    .refine(isPathId, dotSegmentRule),
);

const rule = 'in milliseconds since 1970, from 1973 on: multiply seconds by 1000, and read a date by Date.parse.';

/** Seconds are below it until the year 5138, and milliseconds above it since 1973. Microseconds are above both. */
const leastMs = 100_000_000_000;

/** When a row of another system was made. */
export const createdAt = once(() =>
  z
    .int(rule)
    .min(leastMs, rule)
    .max(leastMs * 1_000, rule)
    .optional(),
);
