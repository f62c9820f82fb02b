import { type Post, parseEnvelope, type Sender, type SendOutcome } from '@partnerkit/core';

const ok: SendOutcome = { kind: 'answered', status: 200, body: '', took: 1 };

/** A sender that keeps what it is given, and tells when it arrives. */
export interface Arrivals extends Sender {
  readonly posts: readonly Post[];
  /** Which objects events arrived of. */
  readonly objects: ReadonlySet<string>;
  /** Resolves once events of all these objects have arrived. */
  all(objects: Iterable<string>): Promise<void>;
}

export const arrivals = (answer: (post: Post) => SendOutcome | Promise<SendOutcome> = () => ok): Arrivals => {
  const posts: Post[] = [];
  const objects = new Set<string>();
  const waiting = new Set<{ readonly left: Set<string>; readonly resolve: () => void }>();
  return {
    posts,
    objects,
    send: async (post) => {
      const object = parseEnvelope(post.body)?.data.id ?? '';
      posts.push(post);
      objects.add(object);
      for (const wait of waiting) {
        wait.left.delete(object);
        if (wait.left.size === 0 && waiting.delete(wait)) wait.resolve();
      }
      return answer(post);
    },
    all: async (expected) => {
      const left = new Set([...expected].filter((object) => !objects.has(object)));
      if (left.size > 0) await new Promise<void>((resolve) => waiting.add({ left, resolve }));
    },
  };
};

/** So many names. */
export const names = (count: number, prefix = 'p'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
