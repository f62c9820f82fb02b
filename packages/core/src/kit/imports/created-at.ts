import { z } from 'zod';

const rule = 'in milliseconds since 1970, from 1973 on: multiply seconds by 1000, and read a date by Date.parse.';

/** Seconds are below it until the year 5138, and milliseconds above it since 1973. Microseconds are above both. */
const leastMs = 100_000_000_000;

/** When a row of another system was made. @internal */
export const createdAt = z
  .int(rule)
  .min(leastMs, rule)
  .max(leastMs * 1_000, rule)
  .optional();
