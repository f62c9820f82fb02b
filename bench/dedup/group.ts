import type { Line } from '../measure.ts';
import type { Sized } from '../sizes.ts';
import { memory } from './memory.ts';
import { postgres } from './postgres.ts';
import { receive } from './receive.ts';
import { redis } from './redis.ts';

/** The cost of deduplication on each store, against the minimal calls of that store. */
export async function* dedup(sized: Sized): AsyncGenerator<Line> {
  for (const part of [memory, receive, redis, postgres]) yield* part(sized);
}
