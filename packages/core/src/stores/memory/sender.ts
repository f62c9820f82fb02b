import type { DeliveryRequest, Sender, SendOutcome } from '../../webhooks/deliveries/sender.ts';

/**
 * A sender for tests: records each POST and returns what `answer` returns.
 * @public
 */
export interface MemorySender extends Sender {
  /** The POSTs, in order. */
  readonly posts: readonly DeliveryRequest[];
}

/**
 * Creates a {@link MemorySender}. By default, every POST is answered with 200.
 * @example
 * const sender = memorySender(() => ({ kind: 'answered', status: 204, body: '', durationMs: 1 }));
 * const kit = createPartnerkit({ ...options, sender });
 * await kit.worker().drain();
 * console.log(sender.posts.length);
 * @public
 */
export const memorySender = (
  answer: (post: DeliveryRequest) => SendOutcome | Promise<SendOutcome> = () => ({
    kind: 'answered',
    status: 200,
    body: '',
    durationMs: 0,
  }),
): MemorySender => {
  const posts: DeliveryRequest[] = [];
  return {
    posts,
    send: async (post) => {
      posts.push(post);
      return answer(post);
    },
  };
};
