import type { DeliveryRequest, Sender, SendOutcome } from '../../src/webhooks/deliveries/sender.ts';

/** A POST that waits for its answer. */
interface OpenPost {
  readonly post: DeliveryRequest;
  answer(status?: number, retryAfter?: string): void;
}

export interface HeldSender extends Sender {
  /** What was sent and not answered yet. */
  readonly open: readonly OpenPost[];
  /** Answers all of them. */
  answerAll(status?: number): void;
  /** How many were sent in all, and the most that were open at once. */
  readonly counts: { readonly sent: number; readonly most: number };
}

/** A sender whose receivers answer only when the test says so. */
export const heldSender = (): HeldSender => {
  const open: OpenPost[] = [];
  const counts = { sent: 0, most: 0 };
  return {
    open,
    counts,
    answerAll: (status) => {
      for (const held of [...open]) held.answer(status);
    },
    send: (post) => {
      const { promise, resolve } = Promise.withResolvers<SendOutcome>();
      const held: OpenPost = {
        post,
        answer: (status = 200, retryAfter) => {
          open.splice(open.indexOf(held), 1);
          const asked = retryAfter === undefined ? {} : { retryAfter };
          resolve({ kind: 'answered', status, body: '', durationMs: 1, ...asked });
        },
      };
      open.push(held);
      counts.sent++;
      counts.most = Math.max(counts.most, open.length);
      return promise;
    },
  };
};
