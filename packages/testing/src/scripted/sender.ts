import type { DeliveryRequest, Sender, SendFailure, SendOutcome } from '@partnerkit/core/adapter';
import type { ReceiverAct } from './receiver-act.ts';
import { createScript, type PartnerStep, type Script, type ScriptedPartner } from './script.ts';

/**
 * A step of a partner that is reached in process.
 * @public
 */
export type SenderStep =
  | PartnerStep
  | {
      /** Nothing arrives, for this reason. */
      readonly fails: SendFailure;
    };

/**
 * A sender without a network: every URL has a scripted partner.
 * @public
 */
export interface ScriptedSender extends Sender {
  /** Every POST to send, in order, whether it arrived or not. */
  readonly sent: readonly DeliveryRequest[];
  /** The partner at a URL; the same object each time. */
  at(url: string): ScriptedPartner<SenderStep>;
}

/** How much of a response body core stores, in bytes. */
const keptBytes = 4_096;

const outcomeOf = (act: ReceiverAct, deadline: number): SendOutcome => {
  if (act === 'silence') return { kind: 'failed', reason: 'timeout', durationMs: deadline };
  if (act === 'cut') return { kind: 'failed', reason: 'reset', durationMs: 0 };
  const retryAfter = act.headers?.['retry-after'];
  return {
    kind: 'answered',
    status: act.status,
    body: Buffer.from(act.body ?? '')
      .subarray(0, keptBytes)
      .toString(),
    durationMs: 0,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
};

/**
 * Creates a `Sender` double: each partner follows its script at once. It takes no time, even for `silence`, which fails
 * as `timeout`. It checks no name and no address; script such failures.
 * @example
 * const sender = scriptedSender();
 * sender.at('https://partner.example/webhooks').script({ fails: 'dns' }, 503);
 * const post = { url: 'https://partner.example/webhooks', headers: {}, body: '{}', deadline: 15_000 };
 * deepStrictEqual(await sender.send(post), { kind: 'failed', reason: 'dns', durationMs: 0 });
 * deepStrictEqual(await sender.send(post), { kind: 'answered', status: 503, body: '', durationMs: 0 });
 * strictEqual(sender.at(post.url).posts.length, 1);
 * @public
 */
export const scriptedSender = (): ScriptedSender => {
  const sent: DeliveryRequest[] = [];
  const partners = new Map<string, Script<SenderStep> & ScriptedPartner<SenderStep>>();
  const partnerAt = (text: string) => {
    const url = new URL(text).href;
    const known = partners.get(url);
    if (known) return known;
    const partner = { ...createScript<SenderStep>(200), url };
    partners.set(url, partner);
    return partner;
  };
  return {
    sent,
    at: partnerAt,
    send: async (post) => {
      sent.push(post);
      const { url, headers, body, deadline } = post;
      const { protocol, pathname, search } = new URL(url);
      if (protocol !== 'https:') return { kind: 'failed', reason: 'forbidden_address', durationMs: 0 };
      const { take, receive } = partnerAt(url);
      const step = take();
      if (typeof step === 'object' && 'fails' in step) return { kind: 'failed', reason: step.fails, durationMs: 0 };
      return outcomeOf(await receive({ method: 'POST', path: pathname + search, headers, body }, step), deadline);
    },
  };
};
