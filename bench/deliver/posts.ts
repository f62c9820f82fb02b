import { httpsSender } from '@partnerkit/node';
import { undiciSender } from '@partnerkit/node/undici';
import { giveUp, serve } from '../children.ts';
import { rateOf } from '../meter.ts';
import { poster, sign } from '../postgres/engines/post.ts';
import { accounts, bodyAt, inFlight, types } from '../postgres/load.ts';
import type { Receiver } from '../postgres/receiver.ts';

export interface PostsInput {
  readonly receiver: Receiver;
  readonly through: 'httpsSender' | 'undiciSender' | 'Pool.request';
}

/** POSTs without a worker. */
export interface Posts {
  /** Resolves to POSTs per second. */
  post(count: number): Promise<number>;
}

type Post = (path: string, body: string, signature: string) => Promise<unknown>;

const senderPost = ({ origin, ca }: Receiver, create: typeof httpsSender): Post => {
  const sender = create({ allow: ['127.0.0.0/8'], ca });
  return async (path, body, signature) => {
    const headers = { 'content-type': 'application/json', 'user-agent': 'bench', 'x-webhook-signature': signature };
    const outcome = await sender.send({ url: `${origin}${path}`, headers, body, deadline: 15_000 });
    if (outcome.kind !== 'answered' || outcome.status !== 204) giveUp('Nothing else may happen:', outcome);
  };
};

if (process.send)
  serve<Posts>(async ({ receiver, through }: PostsInput) => {
    const senders = { httpsSender, undiciSender };
    const post = through === 'Pool.request' ? poster(receiver) : senderPost(receiver, senders[through]);
    const paths = accounts.flatMap((account) => types.map((type) => `/${account}/${type}`));
    const body = bodyAt(0);
    const signature = sign(body);
    return {
      post: async (count) => {
        let left = count;
        const lane = async (): Promise<void> => {
          while (left-- > 0) await post(paths[left % paths.length] as string, body, signature);
        };
        const { rate } = await rateOf(count, () => Promise.all(Array.from({ length: inFlight }, lane)));
        return rate;
      },
    };
  });
