import type { Post, Sender, SendOutcome } from '../deliveries/sender.ts';

/**
 * A sender that keeps what it is given and answers as `answer` says: for tests.
 * @public
 */
export interface MemorySender extends Sender {
  readonly posts: readonly Post[];
}

/** @defaultValue every POST is answered 200 @public */
export const memorySender = (
  answer: (post: Post) => SendOutcome | Promise<SendOutcome> = () => ({
    kind: 'answered',
    status: 200,
    body: '',
    took: 0,
  }),
): MemorySender => {
  const posts: Post[] = [];
  return {
    posts,
    send: async (post) => {
      posts.push(post);
      return answer(post);
    },
  };
};
