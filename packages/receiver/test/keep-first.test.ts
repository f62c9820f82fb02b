import { describe, expect, test, vi } from 'vitest';
import {
  createInboxWorker,
  createReceiver,
  dedupKey,
  type EnqueueOptions,
  type Inbox,
  memoryInbox,
  memorySeenKeys,
} from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { testClock } from './support/clock.ts';
import { bytesOf, confidential, delivery, deliveryHeader, payed, request, secret, signed } from './support/platform.ts';

const setUp = (options: Partial<EnqueueOptions> = {}) => {
  const clock = testClock();
  const inbox = memoryInbox({ clock });
  const keep = vi.spyOn(inbox, 'enqueue');
  const onError = vi.fn();
  return { inbox, keep, onError, receiver: createReceiver({ secrets: [secret], inbox, onError, clock, ...options }) };
};

describe('a receiver with an inbox', () => {
  test('204 after the event is queued, as its raw text under its key', async () => {
    const { inbox, keep, receiver } = setUp();
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(keep.mock.calls).toEqual([[dedupKey(payed), JSON.stringify(payed)]]);
    expect((await inbox.claim(10, 1_000)).map(({ body }) => body)).toEqual([JSON.stringify(payed)]);
  });

  test('no response while the inbox is still writing', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { receiver } = setUp({ inbox: { enqueue: () => promise } });
    let answered = false;
    const answer = verdict(receiver, delivery()).finally(() => {
      answered = true;
    });
    await new Promise((go) => setImmediate(go));
    expect(answered).toBe(false);
    resolve(true);
    expect(await answer).toBe('204');
  });

  test('a duplicate gets 204 too and is queued once', async () => {
    const { inbox, receiver } = setUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verdict(receiver, delivery())));
    expect(new Set(answers)).toEqual(new Set(['204']));
    expect(await inbox.stats(0)).toMatchObject({ waiting: 1 });
    const [entry] = await inbox.claim(1, 1_000);
    await inbox.complete(entry?.key ?? '', entry?.lease ?? '', 1_000);
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(await inbox.stats(0)).toMatchObject({ waiting: 0 });
  });

  const ways: readonly [string, Inbox['enqueue']][] = [
    ['rejects', () => Promise.reject(new Error(confidential))],
    [
      'throws',
      () => {
        throw new Error(confidential);
      },
    ],
  ];
  test.each(ways)('an inbox that %s: 503, and onError is called', async (_way, enqueue) => {
    const { onError, receiver } = setUp({ inbox: { enqueue } });
    expect(await verdict(receiver, delivery())).toBe('503 not_kept');
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: confidential }), payed]]);
  });

  test.each([undefined, null, {}, 1, 'OK'])('an inbox that answers %j has not said that it queued', async (answer) => {
    const { onError, receiver } = setUp({ inbox: { enqueue: async () => answer as never } });
    expect(await verdict(receiver, delivery())).toBe('503 not_kept');
    const cause = new TypeError('partnerkit: Inbox.enqueue must return true, or false for a duplicate.');
    expect(onError.mock.calls).toEqual([[cause, payed]]);
  });

  test('unknown names are queued: the worker may know them', async () => {
    const { inbox, receiver } = setUp();
    expect(await verdict(receiver, delivery({ ...payed, objectName: 'Invoice', type: 'constructor' }))).toBe('204');
    expect(await inbox.stats(0)).toMatchObject({ waiting: 1 });
  });

  test('a refused request is not queued', async () => {
    const { keep, receiver } = setUp({ deliveryHeader });
    const key = { [deliveryHeader.name.toLowerCase()]: deliveryHeader.value };
    const { body, headers } = signed('[]');
    for (const [asked, expected] of [
      [delivery(), '401 wrong_delivery_header'],
      [request(bytesOf(JSON.stringify(payed)), key), '401 missing_signature'],
      [request(body, { ...headers, ...key }), '400 no_envelope'],
      [request({ parsed: payed }, key), '500 raw_body_needed'],
      [request({ tooLarge: true }, key), '413 too_large'],
    ] as const) {
      expect(await verdict(receiver, asked)).toBe(expected);
    }
    expect(keep).not.toHaveBeenCalled();
  });
});

test('exactly one of seen and inbox is needed, also in JavaScript', () => {
  const [inbox, seen] = [memoryInbox(), memorySeenKeys()];
  const make = createReceiver as unknown as (options: object) => unknown;
  expect(() => make({ secrets: [secret], on: {} })).toThrow('seen, inbox: exactly one of them is needed.');
  expect(() => make({ secrets: [secret], on: {}, seen, inbox })).toThrow(TypeError);
  make({ secrets: [secret], on: {}, seen });
  make({ secrets: [secret], inbox });
  make({ secrets: [secret], inbox: createInboxWorker({ inbox, on: {} }).inbox });
});
