import type { Post, Sender, SendOutcome } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, test } from 'vitest';
import { type ReceiverAct, type SenderFixture, senderContract, startSenderReceiver } from '../../src/index.ts';
import { collect, type Double, findsEveryFault, meanwhile } from './doubles.ts';
import { httpsSender } from './https-sender.ts';

const outcomeOf = (act: ReceiverAct): SendOutcome | Promise<SendOutcome> => {
  if (act === 'silence') return new Promise(() => {});
  if (act === 'cut') return { kind: 'failed', reason: 'reset', took: 0 };
  const { status, headers = {}, body = '' } = act;
  const retryAfter = headers['retry-after'];
  return { kind: 'answered', status, body, took: 0, ...(retryAfter === undefined ? {} : { retryAfter }) };
};
const received = ({ url, headers, body }: Post) => {
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
  'of a long answer the first 4 KiB are kept': 'it hands on the answer that a test made',
  'a receiver that says nothing fails as a time-out when the deadline is over': 'it has no time',
  'nothing is sent once the deadline is over': 'it has no time',
  'what cannot be reached is a failure with its reason': 'it has no network',
  'nothing is sent to an address that is not public': 'it has no addresses',
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
const everyStatus = 'every status is an answer, with its Retry-After and what it says';

findsEveryFault(
  senderContract,
  memoryFixture,
  [
    ...[true, false].map(
      (answer): Double<SenderFixture> => ({
        how: `it says of every URL that it can reach it: ${answer}`,
        breaks: ['a sender that says what it can reach allows the receiver, and no address that is not public'],
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
      onAnswer((outcome) => (outcome.status < 400 ? outcome : { kind: 'failed', reason: 'reset', took: 0 })),
    ),
    broken(
      'a redirect is followed',
      ['a redirect is an answer, and is not followed'],
      (send, { url }) =>
        async (post) => {
          const outcome = await send(post);
          const redirected = outcome.kind === 'answered' && outcome.status >= 300 && outcome.status < 400;
          return redirected ? send({ ...post, url: new URL('/elsewhere', url).href }) : outcome;
        },
    ),
    broken('answers are mixed up', ['many that are sent at once each get their own answer'], (send) => {
      let last: Promise<SendOutcome>;
      return async (post) => {
        last = send(post);
        await meanwhile();
        return last;
      };
    }),
    broken(
      'an answer is waited for to its end',
      ['an answer whose body never ends is an answer'],
      onAnswer((outcome) => (outcome.body === 'and so on' ? new Promise(() => {}) : outcome)),
    ),
    broken(
      'what was cut is tried again',
      ['a connection that is cut is a failure, and is not tried again'],
      (send) => async (post) => {
        const outcome = await send(post);
        return outcome.kind === 'failed' ? send(post) : outcome;
      },
    ),
    broken(
      'what was cut rejects',
      ['a connection that is cut is a failure, and is not tried again'],
      (send) => async (post) => {
        const outcome = await send(post);
        if (outcome.kind === 'failed') throw new Error('socket hang up');
        return outcome;
      },
    ),
  ],
  deviations,
);

const unsafe: readonly Double<SenderFixture>[] = [
  broken(
    'the whole answer is kept',
    ['of a long answer the first 4 KiB are kept'],
    onAnswer((outcome) => ({ ...outcome, body: outcome.body.repeat(3) })),
  ),
  broken(
    'the deadline is a reset',
    ['a receiver that says nothing fails as a time-out when the deadline is over'],
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
      return { kind: 'failed', reason: 'timeout', took: post.deadline };
    };
  }),
  {
    how: 'any certificate will do',
    breaks: ['what cannot be reached is a failure with its reason'],
    make: (fixture) => ({
      ...fixture,
      unreachable: fixture.unreachable.map(({ url }) => ({ url, reason: 'connect' as const })),
    }),
  },
  broken(
    'any address will do',
    ['nothing is sent to an address that is not public'],
    (send) => async (post) =>
      new URL(post.url).hostname.startsWith('10.') ? { kind: 'failed', reason: 'timeout', took: 0 } : send(post),
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
