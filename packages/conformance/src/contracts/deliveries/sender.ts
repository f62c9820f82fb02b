import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { second } from '@partnerkit/core';
import type { DeliveryRequest, Sender, SendFailure, SendOutcome } from '@partnerkit/core/adapter';
import type { ReceivedPost, ReceiverAct } from '@partnerkit/testing';
import { type Cases, type ContractOptions, type Fixture, runCases } from '../support/contract.ts';
import { race, soon } from '../support/racers.ts';

/**
 * A sender, and a receiver that it may reach.
 * @public
 */
export interface SenderFixture extends Fixture {
  /** The sender under test. */
  readonly sender: Sender;
  /** URL of the receiver: HTTPS, with a certificate that the sender trusts. It accepts any path. */
  readonly url: string;
  /** Sets the response of the receiver. @defaultValue 200 */
  act(decide: (post: ReceivedPost) => ReceiverAct): void;
  /** Received POSTs, in order of arrival. */
  received(): readonly ReceivedPost[];
  /** At least one URL that is unreachable, each with the expected reason. */
  readonly unreachable: readonly {
    readonly url: string;
    /** The expected reason, or what it begins with: a sender may name `tls_certificate_untrusted` instead of `tls`. */
    readonly reason: SendFailure;
  }[];
}

/** Addresses that are not public unicast. Loopback is missing, because a fixture may allow it. */
const privateUrls: readonly string[] = [
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://0xa000001/',
  'https://167772161/',
];

const post = (url: string, change: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  deadline: 15 * second,
  ...change,
});

const assertTook = ({ durationMs }: SendOutcome): void =>
  ok(durationMs >= 0 && Number.isFinite(durationMs), `it took ${durationMs}`);

const cases: Cases<SenderFixture> = {
  'exactly these bytes and headers are sent, in one POST': async ({ sender, url, received }) => {
    const body = '{"timestamp":1735689600,"data":{"id":"é🏡\\u2028"} ,"n":1.0}';
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'platform/1.0 (webhooks)',
      'x-webhook-signature': 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      'webhook-id': 'msg_1',
      authorization: 'Basic abc==',
    };
    const target = new URL('/hook%20s?a=b&c=%C3%A9', url);
    const outcome = await sender.send(post(target.href, { body, headers }));
    ok(outcome.kind === 'answered' && outcome.status === 200);
    assertTook(outcome);
    const [arrived, ...more] = received();
    strictEqual(more.length, 0);
    deepStrictEqual([arrived?.method, arrived?.path, arrived?.body], ['POST', '/hook%20s?a=b&c=%C3%A9', body]);
    for (const [name, value] of Object.entries(headers)) strictEqual(arrived?.headers[name], value, name);
  },
  'a URL goes to the same place in any spelling': async ({ sender, url, received }) => {
    const spelled = new URL('/', url).href.replace(/^https:\/\/[^:/]*/, (origin) => origin.toUpperCase());
    const outcome = await sender.send(post(`${spelled}a/../hook s?a=b&c=é`));
    ok(outcome.kind === 'answered' && outcome.status === 200);
    deepStrictEqual(
      received().map(({ path }) => path),
      ['/hook%20s?a=b&c=%C3%A9'],
    );
  },
  'every status is a response, with its Retry-After and its body': async ({ sender, url, act, received }) => {
    for (const status of [200, 201, 204, 299, 400, 401, 404, 410, 429, 500, 503]) {
      const body = status === 204 ? '' : `said ${status} é`;
      const headers: Readonly<Record<string, string>> = status >= 429 ? { 'retry-after': '120' } : {};
      act(() => ({ status, headers, body }));
      const { durationMs: _took, ...outcome } = await sender.send(post(url));
      const retryAfter = status >= 429 ? { retryAfter: '120' } : {};
      deepStrictEqual(outcome, { kind: 'answered', status, body, ...retryAfter });
    }
    strictEqual(received().length, 11);
  },
  'a redirect is a response, and is not followed': async ({ sender, url, act, received }) => {
    for (const status of [301, 302, 303, 307, 308]) {
      act(() => ({ status, headers: { location: new URL('/elsewhere', url).href } }));
      const outcome = await sender.send(post(url));
      ok(outcome.kind === 'answered' && outcome.status === status);
    }
    strictEqual(received().length, 5);
    ok(received().every(({ path }) => path !== '/elsewhere'));
  },
  'simultaneous POSTs each get their own response': async ({ sender, url, act, received }) => {
    act(({ body }) => ({ status: 200, body }));
    const bodies = await race(async (index) => {
      const outcome = await sender.send(post(url, { body: `{"n":${index}}` }));
      return outcome.kind === 'answered' ? outcome.body : outcome.reason;
    });
    deepStrictEqual(
      bodies,
      bodies.map((_, index) => `{"n":${index}}`),
    );
    strictEqual(received().length, bodies.length);
  },
  'the first 4 KiB of a long response are returned': async ({ sender, url, act }) => {
    const long = 'é'.repeat(10_000);
    act(() => ({ status: 500, body: long }));
    const outcome = await sender.send(post(url));
    ok(outcome.kind === 'answered' && outcome.status === 500);
    ok(Buffer.byteLength(outcome.body) <= 4_096 + 2, `${Buffer.byteLength(outcome.body)} bytes`);
    ok(outcome.body.length > 0 && long.startsWith(outcome.body.replace(/\uFFFD$/, '')), 'the beginning is kept');
  },
  'a response with an endless body is a response': async ({ sender, url, act }) => {
    act(() => ({ status: 200, body: 'and so on', endless: true }));
    const outcome = await soon(sender.send(post(url)), 'the outcome');
    ok(outcome.kind === 'answered' && outcome.status === 200);
  },
  'a silent receiver fails as `timeout` at the deadline': async ({ sender, url, act }) => {
    act(() => 'silence');
    const outcome = await soon(sender.send(post(url, { deadline: 300 })), 'the outcome');
    ok(outcome.kind === 'failed' && outcome.reason === 'timeout', JSON.stringify(outcome));
    ok(outcome.durationMs >= 290, `it took ${outcome.durationMs}`);
  },
  'nothing is sent once the deadline is over': async ({ sender, url, received }) => {
    // It ends before the TLS handshake can end.
    const outcome = await sender.send(post(url, { body: 'too late', deadline: 1 }));
    ok(outcome.kind === 'failed' && outcome.reason === 'timeout', JSON.stringify(outcome));
    for (let times = 0; times < 3; times++) await sender.send(post(url, { body: 'in time' }));
    deepStrictEqual(
      received().map(({ body }) => body),
      ['in time', 'in time', 'in time'],
    );
  },
  'a cut connection is a failure, and is not retried': async ({ sender, url, act, received }) => {
    act(() => 'cut');
    const outcome = await sender.send(post(url));
    ok(outcome.kind === 'failed' && outcome.reason === 'reset', JSON.stringify(outcome));
    assertTook(outcome);
    strictEqual(received().length, 1);
  },
  'an unreachable URL is a failure with its reason': async ({ sender, unreachable, received }) => {
    ok(unreachable.length > 0, 'the fixture names what cannot be reached');
    for (const { url, reason } of unreachable) {
      const outcome = await sender.send(post(url));
      // A more detailed reason, such as `tls_certificate_untrusted`, begins with it.
      ok(outcome.kind === 'failed' && outcome.reason.startsWith(reason), `${url}: ${JSON.stringify(outcome)}`);
      assertTook(outcome);
    }
    strictEqual(received().length, 0);
  },
  'nothing is sent to a non-public address': async ({ sender, received }) => {
    for (const url of privateUrls) {
      const outcome = await soon(sender.send(post(url, { deadline: second })), url);
      ok(outcome.kind === 'failed' && outcome.reason === 'forbidden_address', `${url}: ${JSON.stringify(outcome)}`);
    }
    strictEqual(received().length, 0);
  },
  '`canReach` allows the receiver, and no non-public address': async ({ sender, url }) => {
    if (!sender.canReach) return;
    strictEqual(sender.canReach(url), true, url);
    for (const each of privateUrls) strictEqual(sender.canReach(each), false, each);
  },
  'nothing is sent without TLS': async ({ sender, url, received }) => {
    const outcome = await sender.send(post(url.replace('https:', 'http:')));
    strictEqual(outcome.kind, 'failed');
    strictEqual(received().length, 0);
  },
};

/**
 * Tests the obligations of a `Sender`. A real one takes about two seconds: the limit for reading the body of a
 * response.
 * @example
 * const create = async () => {
 *   const receiver = await startSenderReceiver();
 *   const sender = httpsSender({ ca: receiver.ca, lookup: receiver.lookup, allow: ['127.0.0.0/8'] });
 *   return { ...receiver, sender };
 * };
 * senderContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const senderContract = (options: ContractOptions<SenderFixture>): void => runCases(cases, options);
