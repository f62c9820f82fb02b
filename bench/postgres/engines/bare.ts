import { serve } from '../../children.ts';
import { bodyAt, inFlight } from '../load.ts';
import { type EngineInput, meter } from './engine.ts';
import { poster, sign } from './post.ts';

/** The limit: only POSTs. */
export interface Bare {
  post(count: number): Promise<number>;
  /** Each with a new signature. */
  postSigned(count: number): Promise<number>;
}

if (process.send)
  serve<Bare>(async ({ receiver }: EngineInput) => {
    const post = poster(receiver);
    const body = bodyAt(0);
    const signature = sign(body);
    const run = async (count: number, signatureOf: () => string): Promise<number> => {
      const counted = meter(count);
      let left = count;
      const lane = async (): Promise<void> => {
        while (left-- > 0) {
          await post('/hooks', body, signatureOf());
          counted.sent();
          counted.stored(1);
        }
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
      return counted.rate;
    };
    return {
      post: (count) => run(count, () => signature),
      postSigned: (count) => run(count, () => sign(body)),
    };
  });
