import {
  type Envelope,
  parseEnvelope,
  type SigningKey,
  signatureHeader,
  signingKey,
  verifySignature,
} from '@partnerkit/core/wire';
import type { ReceivedPost, ReceiverAct } from './receiver-act.ts';

/**
 * The response of a scripted partner to a POST: a status, or a {@link ReceiverAct}.
 * @public
 */
export type PartnerAct = number | ReceiverAct;

/**
 * One step of a script: an act, or a function that returns one. A function that returns a promise delays the response.
 * @public
 */
export type PartnerStep = PartnerAct | ((post: PartnerPost) => PartnerAct | Promise<PartnerAct>);

/**
 * A POST as a scripted partner received it.
 * @public
 */
export interface PartnerPost extends ReceivedPost {
  /** The parsed body; `undefined` when the body is not an envelope. */
  readonly envelope: Envelope | undefined;
  /** Result of the check of `X-WEBHOOK-SIGNATURE` against the trusted secrets; `unchecked` without trusted secrets. */
  readonly signature: 'good' | 'wrong_signature' | 'missing_signature' | 'unchecked';
}

/**
 * A partner with scripted behaviour that records what it receives.
 * @public
 */
export interface ScriptedPartner<Step = PartnerStep> {
  /** URL of its endpoint. */
  readonly url: string;
  /** Received POSTs, in order of arrival. */
  readonly posts: readonly PartnerPost[];
  /** Appends steps to the script: each POST takes the next one. */
  script(...steps: readonly Step[]): void;
  /** Sets the step for every POST after the end of the script. @defaultValue 200 */
  otherwise(step: Step): void;
  /**
   * Sets the trusted webhook secrets. A POST without a signature by one of them gets 401 (specification §5.3), whatever
   * its step says. Without secrets, nothing is checked.
   */
  trust(...secrets: readonly string[]): void;
  /** Resolves to all received POSTs, once there are `count` of them. */
  arrived(count: number): Promise<readonly PartnerPost[]>;
}

/** A partner without an address, and the two halves of receiving. */
export interface Script<Step> extends Omit<ScriptedPartner<Step>, 'url'> {
  /** Takes the step of the next POST. */
  take(): Step;
  /** Records a POST, and resolves to the response. */
  receive(post: ReceivedPost, step: PartnerStep): Promise<ReceiverAct>;
}

export const createScript = <Step>(last: Step): Script<Step> => {
  const posts: PartnerPost[] = [];
  const steps: Step[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  let keys: readonly SigningKey[] = [];
  let afterwards = last;

  const signatureOf = ({ headers, body }: ReceivedPost): PartnerPost['signature'] => {
    if (keys.length === 0) return 'unchecked';
    const verdict = verifySignature(body, headers[signatureHeader]?.toString(), keys);
    return verdict === 'valid' ? 'good' : verdict;
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
