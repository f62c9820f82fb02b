import type { Figure } from '../measure.ts';
import { bare } from './bare.ts';
import { peers } from './peers.ts';

/** The cost of a signature, against node:crypto alone and against libraries that verify webhooks. */
export async function* signature(): AsyncGenerator<Figure> {
  yield* bare();
  yield* peers();
}
