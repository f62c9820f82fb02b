import { AssertionError } from 'node:assert';
import { parseEnvelope, signatureHeader, signingKey, verifySignature } from '@partnerkit/core/wire';
import type { ReceivedPost } from './receiver-act.ts';

/**
 * The event to look for. Every given field must equal that of the envelope; {@link ScriptedHost.publish} resolves to
 * one.
 * @public
 */
export interface ExpectedEvent {
  /** `objectName` of the envelope. */
  readonly objectName?: string;
  /** `type` of the envelope. */
  readonly type?: string;
  /** `data.id`. */
  readonly id?: string;
}

const isOf =
  ({ objectName, type, id }: ExpectedEvent) =>
  ({ body }: ReceivedPost): boolean => {
    const envelope = parseEnvelope(body);
    return (
      envelope !== undefined &&
      envelope.objectName === (objectName ?? envelope.objectName) &&
      envelope.type === (type ?? envelope.type) &&
      envelope.data.id === (id ?? envelope.data.id)
    );
  };

const named = ({ objectName = 'any object', type = 'of any type', id }: ExpectedEvent): string =>
  `${objectName} ${type}${id === undefined ? '' : ` of ${id}`}`;

const described = ({ body }: ReceivedPost): string => {
  const envelope = parseEnvelope(body);
  return envelope
    ? `${envelope.objectName} ${envelope.type} of ${envelope.data.id} at ${envelope.timestamp}`
    : `no envelope, ${Buffer.byteLength(body)} bytes`;
};

const listed = (posts: readonly ReceivedPost[]): string =>
  posts.length === 0
    ? 'Nothing was received.'
    : `Received: ${posts.map((post, index) => `${index + 1}. ${described(post)}`).join('; ')}.`;

const check = (holds: boolean, message: string): void => {
  if (!holds) throw new AssertionError({ message });
};

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/**
 * Asserts that the event was received exactly once.
 * @example
 * const { publish, deliver, partner } = await scriptedHost();
 * const event = await publish();
 * await deliver();
 * assertReceivedOnce(partner.posts, event);
 * @throws AssertionError that states how often it was received, or what was received instead.
 * @public
 */
export const assertReceivedOnce = (posts: readonly ReceivedPost[], event: ExpectedEvent): void => {
  const count = posts.filter(isOf(event)).length;
  check(count === 1, `${named(event)} was received ${times(count)}, not once. ${listed(posts)}`);
};

/**
 * Asserts that the event was not received; without an event, that nothing was received.
 * @example
 * const { deliver, partner } = await scriptedHost();
 * await deliver();
 * assertNeverReceived(partner.posts);
 * @throws AssertionError that states how often it was received.
 * @public
 */
export const assertNeverReceived = (posts: readonly ReceivedPost[], event?: ExpectedEvent): void => {
  if (!event) check(posts.length === 0, `Something was received. ${listed(posts)}`);
  else {
    const count = posts.filter(isOf(event)).length;
    check(count === 0, `${named(event)} was received ${times(count)}. ${listed(posts)}`);
  }
};

/**
 * Asserts that the events were received in this order, by the first receipt of each. Other events may come between. The
 * specification promises no order (§6.5): use this only where a test controls the order.
 * @example
 * const { publish, deliver, partner } = await scriptedHost();
 * const first = await publish({ type: 'creation', id: 'p1' });
 * await deliver();
 * const second = await publish({ type: 'payed', id: 'p1' });
 * await deliver();
 * assertReceivedInOrder(partner.posts, [first, second]);
 * @throws AssertionError that names the first event that is missing or too early.
 * @public
 */
export const assertReceivedInOrder = (posts: readonly ReceivedPost[], events: readonly ExpectedEvent[]): void => {
  let last = -1;
  for (const [index, event] of events.entries()) {
    const at = posts.findIndex(isOf(event));
    check(at >= 0, `${named(event)} was not received. ${listed(posts)}`);
    check(at > last, `${named(event)} was received before ${named(events[index - 1] ?? {})}. ${listed(posts)}`);
    last = at;
  }
};

/**
 * Asserts that the event was received in several attempts, each with the same bytes. The arguments must identify a
 * single event: two events of the same object and type have different bytes.
 * @example
 * const { publish, deliverAll, partner } = await scriptedHost();
 * partner.script(500, 'cut');
 * const event = await publish();
 * await deliverAll();
 * assertSameBytes(partner.posts, event);
 * @throws AssertionError that shows both bodies, or states that there was only one attempt.
 * @public
 */
export const assertSameBytes = (posts: readonly ReceivedPost[], event: ExpectedEvent): void => {
  const [first, ...others] = posts.filter(isOf(event));
  check(
    others.length > 0,
    `${named(event)} was received ${times(first ? 1 : 0)}; there is nothing to compare. ${listed(posts)}`,
  );
  for (const [index, { body }] of others.entries()) {
    check(
      body === first?.body,
      `${named(event)}: attempt ${index + 2} has other bytes than the first.\n${first?.body}\n${body}`,
    );
  }
};

/**
 * Asserts that something was received, and that every POST carries an `X-WEBHOOK-SIGNATURE` of its bytes by one of the
 * secrets.
 * @example
 * const { publish, deliver, partner, endpoint } = await scriptedHost();
 * await publish();
 * await deliver();
 * assertSigned(partner.posts, endpoint.secret);
 * @throws AssertionError that names the first POST without one; it never contains a secret.
 * @public
 */
export const assertSigned = (posts: readonly ReceivedPost[], ...secrets: readonly [string, ...string[]]): void => {
  const keys = secrets.map(signingKey);
  check(posts.length > 0, listed(posts));
  for (const [index, post] of posts.entries()) {
    const verdict = verifySignature(post.body, post.headers[signatureHeader]?.toString(), keys);
    const problem = verdict === 'missing_signature' ? 'has no signature' : 'has a wrong signature';
    check(verdict === 'valid', `POST ${index + 1} ${problem}: ${described(post)}.`);
  }
};
