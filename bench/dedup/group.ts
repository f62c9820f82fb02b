import type { Figure } from '../measure.ts';
import { memory } from './memory.ts';
import { postgres } from './postgres.ts';
import { receive } from './receive.ts';
import { redis } from './redis.ts';

/** The cost of deduplication on each store, against the minimal calls of that store. */
export async function* dedup(): AsyncGenerator<Figure> {
  for (const part of [memory, receive, redis, postgres]) yield* part();
}
