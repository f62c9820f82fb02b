import type { WebhookEnvelope } from '@partnerkit/core/wire';
import { messageOf } from './cli-error.ts';
import { nameBody } from './event-name.ts';
import type { LocalSigner } from './local-signature.ts';
import { isLoopback } from './loopback.ts';
import type { Output } from './output.ts';
import { isSuccess, post, remedyOf } from './post.ts';
import type { Recorder } from './recordings.ts';

/** How events go on to a receiver. */
export interface LocalDeliveryOptions {
  /** The receiver; absent: events are printed alone. */
  readonly forwardTo: URL | undefined;
  readonly signer: LocalSigner;
  /** The envelope of the platform, if it has one of its own. */
  readonly envelope: WebhookEnvelope | undefined;
  readonly deliveryHeader: { readonly name: string; readonly value: string } | undefined;
  readonly record: Recorder;
  /** Abandons the delivery. */
  readonly signal: AbortSignal;
}

/** An event to deliver. */
interface LocalEvent {
  /** `webhook-id`. */
  readonly messageId: string;
  /** Its headers beside those of signatures, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Posts an event as a platform does, and prints it. Resolves to whether it was accepted. */
export type DeliverLocally = (event: LocalEvent) => Promise<boolean>;

/** What became of a request. */
interface Outcome {
  readonly outcome: 'received' | 'forwarded' | 'failed';
  readonly status?: number;
  readonly milliseconds?: number;
  readonly findings: readonly string[];
}

const findingsOf = (status: number, body: string): readonly string[] =>
  isSuccess(status) ? [] : [remedyOf(status), ...(body.trim() === '' ? [] : body.trimEnd().split('\n'))];

/** Delivers events to a receiver of this machine. */
export const createLocalDelivery = (options: LocalDeliveryOptions, output: Output): DeliverLocally => {
  const { forwardTo, signer, envelope, deliveryHeader, record, signal } = options;

  const send = async (headers: Readonly<Record<string, string>>, body: Buffer): Promise<Outcome> => {
    if (!forwardTo) return { outcome: 'received', findings: [] };
    try {
      // The certificate of a developer's own server is seldom trusted.
      const tls = { rejectUnauthorized: !isLoopback(forwardTo) };
      const { status, milliseconds, body: answer } = await post(forwardTo, { headers, body, tls, signal });
      const outcome = isSuccess(status) ? 'forwarded' : 'failed';
      return { outcome, status, milliseconds, findings: findingsOf(status, answer) };
    } catch (cause) {
      signal.throwIfAborted();
      return { outcome: 'failed', findings: [messageOf(cause)] };
    }
  };

  let hasFailed = false;
  /** Says once what a platform would do, and this command does not. */
  const sayOnce = (): void => {
    if (!hasFailed) output.progress('Nothing is sent again here, unlike by a platform. Repeat it with --replay.');
    hasFailed = true;
  };

  return async ({ messageId, headers: given, body }) => {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'partnerkit-cli',
      ...given,
      ...(deliveryHeader ? { [deliveryHeader.name.toLowerCase()]: deliveryHeader.value } : {}),
      ...signer.sign({ messageId, body: body.toString('utf8') }),
    };
    record({ headers, body }, false);
    const result = await send(headers, body);
    const { outcome, status, milliseconds, findings } = result;
    const { name, event } = nameBody(body, envelope);
    const [eventId] = messageId.split('_');
    const answer = status === undefined ? outcome : `${status}  ${milliseconds} ms`;
    const line = `${new Date().toISOString().slice(11, 19)}  ${answer}  ${name}  ${eventId}`;
    output.result([line, ...findings.map((finding) => `  ${finding.trimEnd()}`)], { ...result, id: messageId, event });
    if (outcome === 'failed') sayOnce();
    return outcome !== 'failed';
  };
};
