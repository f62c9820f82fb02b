import type { DeliveryRequest, Sender, SendOutcome } from '@partnerkit/core/adapter';
import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, test } from 'vitest';
import type { ReceiverAct } from '../../../../testing/src/scripted/receiver-act.ts';
import { httpsSender } from '../../../../testing/test/support/https-sender.ts';
import { type SenderFixture, senderContract, startSenderReceiver } from '../../../src/contracts/index.ts';
import { collect, type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';

const outcomeOf = (act: ReceiverAct): SendOutcome | Promise<SendOutcome> => {
  if (act === 'silence') return new Promise(() => {});
  if (act === 'cut') return { kind: 'failed', reason: 'reset', durationMs: 0 };
  const { status, headers = {}, body = '' } = act;
  const retryAfter = headers['retry-after'];
  return { kind: 'answered', status, body, durationMs: 0, ...(retryAfter === undefined ? {} : { retryAfter }) };
};
const received = ({ url, headers, body }: DeliveryRequest) => {
  const { pathname, search } = new URL(url);
  return { method: 'POST', path: pathname + search, headers, body };
};

const memoryFixture = async (): Promise<SenderFixture> => {
  let decide: Parameters<SenderFixture['act']>[0] = () => ({ status: 200 });
  const sender = memorySender((post) => outcomeOf(decide(received(post))));
  return {
    sender,
    url: 'https://partner.test/hook',
    act: (next) => {
      decide = next;
    },
    received: () => sender.posts.map(received),
    unreachable: [],
  };
};
const deviations = {
  'the first 4 KiB of a long response are returned': 'it hands on the answer that a test made',
  'a silent receiver fails as `timeout` at the deadline': 'it has no time',
  'nothing is sent once the deadline is over': 'it has no time',
  'an unreachable URL is a failure with its reason': 'it has no network',
  'nothing is sent to a non-public address': 'it has no addresses',
  'nothing is sent without TLS': 'it has no connections',
};

const httpsFixture = async (): Promise<SenderFixture> => {
  const receiver = await startSenderReceiver();
  return { ...receiver, sender: httpsSender(receiver) };
};

describe('memory', () => {
  senderContract({ test, create: memoryFixture, deviations });
});

describe('a plain sender on real sockets', () => {
  senderContract({ test, create: httpsFixture });
});

const broken = (
  how: string,
  breaks: Double<SenderFixture>['breaks'],
  change: (send: Sender['send'], fixture: SenderFixture) => Sender['send'],
): Double<SenderFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, sender: { send: change(fixture.sender.send, fixture) } }),
});
const onAnswer =
  (change: (outcome: SendOutcome & { readonly kind: 'answered' }) => SendOutcome | Promise<SendOutcome>) =>
  (send: Sender['send']): Sender['send'] =>
  async (post) => {
    const outcome = await send(post);
    return outcome.kind === 'answered' ? change(outcome) : outcome;
  };

const whole = 'exactly these bytes and headers are sent, in one POST';
const everyStatus = 'every status is a response, with its Retry-After and its body';

findsEveryFault(
  senderContract,
  memoryFixture,
  [
    ...[true, false].map(
      (answer): Double<SenderFixture> => ({
        how: `it says of every URL that it can reach it: ${answer}`,
        breaks: ['`canReach` allows the receiver, and no non-public address'],
        make: (fixture) => ({ ...fixture, sender: { ...fixture.sender, canReach: () => answer } }),
      }),
    ),
    broken('each is sent twice', [whole], (send) => async (post) => {
      await send(post);
      return send(post);
    }),
    broken('a header is left out', [whole], (send) => (post) => {
      const { authorization: _authorization, ...headers } = post.headers;
      return send({ ...post, headers });
    }),
    broken(
      'the body is written anew',
      [whole],
      (send) => (post) => send({ ...post, body: JSON.stringify(JSON.parse(post.body)) }),
    ),
    broken(
      'Retry-After is left out',
      [everyStatus],
      onAnswer(({ retryAfter: _retryAfter, ...outcome }) => outcome),
    ),
    broken(
      'an error is a failure',
      [everyStatus],
      onAnswer((outcome) => (outcome.status < 400 ? outcome : { kind: 'failed', reason: 'reset', durationMs: 0 })),
    ),
    broken(
      'a redirect is followed',
      ['a redirect is a response, and is not followed'],
      (send, { url }) =>
        async (post) => {
          const outcome = await send(post);
          const redirected = outcome.kind === 'answered' && outcome.status >= 300 && outcome.status < 400;
          return redirected ? send({ ...post, url: new URL('/elsewhere', url).href }) : outcome;
        },
    ),
    broken('answers are mixed up', ['simultaneous POSTs each get their own response'], (send) => {
      let last: Promise<SendOutcome>;
      return async (post) => {
        last = send(post);
        await meanwhile();
        return last;
      };
    }),
    broken(
      'an answer is waited for to its end',
      ['a response with an endless body is a response'],
      onAnswer((outcome) => (outcome.body === 'and so on' ? new Promise(() => {}) : outcome)),
    ),
    broken(
      'what was cut is tried again',
      ['a cut connection is a failure, and is not retried'],
      (send) => async (post) => {
        const outcome = await send(post);
        return outcome.kind === 'failed' ? send(post) : outcome;
      },
    ),
    broken('what was cut rejects', ['a cut connection is a failure, and is not retried'], (send) => async (post) => {
      const outcome = await send(post);
      if (outcome.kind === 'failed') throw new Error('socket hang up');
      return outcome;
    }),
  ],
  deviations,
);

const unsafe: readonly Double<SenderFixture>[] = [
  broken(
    'the whole answer is kept',
    ['the first 4 KiB of a long response are returned'],
    onAnswer((outcome) => ({ ...outcome, body: outcome.body.repeat(3) })),
  ),
  broken(
    'the deadline is a reset',
    ['a silent receiver fails as `timeout` at the deadline'],
    (send) => async (post) => {
      const outcome = await send(post);
      return outcome.kind === 'failed' ? { ...outcome, reason: 'reset' } : outcome;
    },
  ),
  broken('a request goes on after its deadline', ['nothing is sent once the deadline is over'], (send) => {
    let late: Promise<unknown> | undefined;
    return async (post) => {
      await late;
      if (post.deadline > 1) return send(post);
      late = send({ ...post, deadline: 15_000 });
      return { kind: 'failed', reason: 'timeout', durationMs: post.deadline };
    };
  }),
  {
    how: 'any certificate will do',
    breaks: ['an unreachable URL is a failure with its reason'],
    make: (fixture) => ({
      ...fixture,
      unreachable: fixture.unreachable.map(({ url }) => ({ url, reason: 'connect' as const })),
    }),
  },
  broken(
    'any address will do',
    ['nothing is sent to a non-public address'],
    (send) => async (post) =>
      new URL(post.url).hostname.startsWith('10.') ? { kind: 'failed', reason: 'timeout', durationMs: 0 } : send(post),
  ),
  broken(
    'HTTP is upgraded in silence',
    ['nothing is sent without TLS'],
    (send) => (post) => send({ ...post, url: post.url.replace('http:', 'https:') }),
  ),
];

test.each(unsafe)('on real sockets a broken double is found: $how', async ({ breaks, make }) => {
  const create = async (settings: { readonly storeAhead: number }) => make(await httpsFixture(), settings);
  expect.assertions(breaks.length);
  for (const { name, run } of collect(senderContract, create))
    if (breaks.includes(name)) await expect(run(), name).rejects.toThrow();
});
