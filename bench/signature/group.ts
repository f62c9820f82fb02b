import type { Line } from '../measure.ts';
import type { Sized } from '../sizes.ts';
import { bare } from './bare.ts';
import { peers } from './peers.ts';

/** The cost of a signature, against node:crypto alone and against libraries that verify webhooks. */
export async function* signature(sized: Sized): AsyncGenerator<Line> {
  yield* bare(sized);
  yield* peers(sized);
}
