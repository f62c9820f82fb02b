import type { Figure } from '../measure.ts';
import { memory } from './memory.ts';
import { postgres } from './postgres.ts';
import { receive } from './receive.ts';
import { redis } from './redis.ts';

/** What it costs to remember what was processed: on each store, against the least that could be asked of it. */
export async function* dedup(): AsyncGenerator<Figure> {
  for (const part of [memory, receive, redis, postgres]) yield* part();
}
