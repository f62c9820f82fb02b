import type { DeliveryRequest, Sender, SendOutcome } from '@partnerkit/core/adapter';
import { parseEnvelope } from '@partnerkit/core/wire';

const ok: SendOutcome = { kind: 'answered', status: 200, body: '', durationMs: 1 };

/** A sender that keeps what it is given, and tells when it arrives. */
export interface Arrivals extends Sender {
  readonly posts: readonly DeliveryRequest[];
  /** Which objects events arrived of. */
  readonly objects: ReadonlySet<string>;
  /** Resolves once events of all these objects have arrived. */
  all(objects: Iterable<string>): Promise<void>;
  /** Resolves once so many more POSTs have arrived. */
  more(count: number): Promise<void>;
}

export const arrivals = (
  answer: (post: DeliveryRequest) => SendOutcome | Promise<SendOutcome> = () => ok,
): Arrivals => {
  const posts: DeliveryRequest[] = [];
  const objects = new Set<string>();
  const listeners = new Set<(object: string) => void>();
  /** Resolves once `isLast` says so of the object of a POST. */
  const until = (isLast: (object: string) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const listener = (object: string): void => {
        if (isLast(object) && listeners.delete(listener)) resolve();
      };
      listeners.add(listener);
    });
  return {
    posts,
    objects,
    send: async (post) => {
      const object = parseEnvelope(post.body)?.data.id ?? '';
      posts.push(post);
      objects.add(object);
      for (const notify of listeners) notify(object);
      return answer(post);
    },
    all: async (expected) => {
      const left = new Set([...expected].filter((object) => !objects.has(object)));
      if (left.size > 0) await until((object) => left.delete(object) && left.size === 0);
    },
    more: async (count) => {
      const enough = posts.length + count;
      await until(() => posts.length >= enough);
    },
  };
};

/** So many names. */
export const names = (count: number, prefix = 'p'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
