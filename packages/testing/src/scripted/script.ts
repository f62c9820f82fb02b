import {
  type Envelope,
  parseEnvelope,
  type SigningKey,
  signatureHeader,
  signingKey,
  verifySignature,
} from '@partnerkit/core';
import type { ReceivedPost, ReceiverAct } from '../contracts/sender.ts';

/**
 * What a scripted partner does with a POST: a status alone, or all that a {@link ReceiverAct} says.
 * @public
 */
export type PartnerAct = number | ReceiverAct;

/**
 * One step of a script: an act, or a function that decides on one. A function that waits holds the answer back until the
 * test lets it go.
 * @public
 */
export type PartnerStep = PartnerAct | ((post: PartnerPost) => PartnerAct | Promise<PartnerAct>);

/**
 * A POST as a scripted partner saw it.
 * @public
 */
export interface PartnerPost extends ReceivedPost {
  /** What its body says, `undefined` when that is no envelope. */
  readonly envelope: Envelope | undefined;
  /** Whether `X-WEBHOOK-SIGNATURE` fits the body and a trusted secret; `unchecked` while none is trusted. */
  readonly signature: 'good' | 'wrong_signature' | 'missing_signature' | 'unchecked';
}

/**
 * A partner whose behaviour is a script, and who remembers what arrived.
 * @public
 */
export interface ScriptedPartner<Step = PartnerStep> {
  /** Where it receives. */
  readonly url: string;
  /** What arrived, in the order in which it did. */
  readonly posts: readonly PartnerPost[];
  /** Adds steps to the script: each POST takes the next one. */
  script(...steps: readonly Step[]): void;
  /** What it does once the script has ended: 200, until this says otherwise. */
  otherwise(step: Step): void;
  /**
   * From now on a POST that fits none of these webhook secrets is answered 401 (specification §5.3), whatever its step says.
   * Without secrets none is checked.
   */
  trust(...secrets: readonly string[]): void;
  /** Resolves to all that arrived, once it is so many. */
  arrived(count: number): Promise<readonly PartnerPost[]>;
}

/** A partner without an address yet, and its two movements. @internal */
export interface Script<Step> extends Omit<ScriptedPartner<Step>, 'url'> {
  /** The step of the next POST. */
  take(): Step;
  /** Notes a POST, and resolves to what is done with it. */
  receive(post: ReceivedPost, step: PartnerStep): Promise<ReceiverAct>;
}

/** @internal */
export const createScript = <Step>(last: Step): Script<Step> => {
  const posts: PartnerPost[] = [];
  const steps: Step[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  let keys: readonly SigningKey[] = [];
  let afterwards = last;

  const signatureOf = ({ headers, body }: ReceivedPost): PartnerPost['signature'] => {
    if (keys.length === 0) return 'unchecked';
    return verifySignature(body, headers[signatureHeader]?.toString(), keys).match(
      () => 'good',
      ({ code }) => code,
    );
  };

  return {
    posts,
    script: (...more) => {
      steps.push(...more);
    },
    otherwise: (step) => {
      afterwards = step;
    },
    trust: (...secrets) => {
      keys = secrets.map(signingKey);
    },
    arrived: async (count) => {
      if (posts.length < count) {
        await new Promise<void>((resolve) => {
          waiting.add({ count, resolve });
        });
      }
      return [...posts];
    },
    take: () => (steps.length > 0 ? (steps.shift() as Step) : afterwards),
    receive: async (received, step) => {
      const { method, path, headers, body } = received;
      const signature = signatureOf(received);
      const post: PartnerPost = { method, path, headers, body, envelope: parseEnvelope(body), signature };
      posts.push(post);
      for (const waiter of waiting) {
        if (posts.length < waiter.count) continue;
        waiting.delete(waiter);
        waiter.resolve();
      }
      if (signature === 'wrong_signature' || signature === 'missing_signature') return { status: 401 };
      const act = typeof step === 'function' ? await step(post) : step;
      return typeof act === 'number' ? { status: act } : act;
    },
  };
};
