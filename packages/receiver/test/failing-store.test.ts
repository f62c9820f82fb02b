import { describe, expect, test, vi } from 'vitest';
import { verdict } from './support/ask.ts';
import { minute } from './support/clock.ts';
import { confidential, delivery, payed } from './support/platform.ts';
import { failed, inProgress, setUp } from './support/receiver.ts';

describe('a store that fails', () => {
  /** What a client of a store may do when its server is gone. */
  const ways = [
    ['rejects', async () => Promise.reject(new Error(confidential))],
    [
      'throws',
      (): never => {
        throw new Error(confidential);
      },
    ],
  ] as const;
  const gone = expect.objectContaining({ message: confidential });

  test.each(ways)(
    'claim %s: 503, no handler runs, onError is called; the next delivery is processed',
    async (_way, fail) => {
      const { handler, onError, receiver, seen } = setUp();
      vi.spyOn(seen, 'claim').mockImplementationOnce(fail);
      expect(await verdict(receiver, delivery())).toMatch(/^503 /);
      expect(handler).not.toHaveBeenCalled();
      expect(onError.mock.calls).toEqual([[gone, payed]]);
      expect(await verdict(receiver, delivery())).toBe('204');
      expect(handler).toHaveBeenCalledTimes(1);
    },
  );

  test('claim answers {}: 503, no handler runs, and onError names the port', async () => {
    const { handler, onError, receiver, seen } = setUp();
    vi.spyOn(seen, 'claim').mockResolvedValueOnce({} as never);
    expect(await verdict(receiver, delivery())).toBe(failed);
    expect(handler).not.toHaveBeenCalled();
    expect(String(onError.mock.calls[0]?.[0])).toMatch(/SeenKeys\.claim must return/);
  });

  test.each(ways)(
    'confirm %s: onError is called, and an event that is sent until 204 is not lost',
    async (_way, fail) => {
      const { clock, handler, onError, receiver, seen } = setUp();
      vi.spyOn(seen, 'confirm').mockImplementationOnce(fail);
      const answers = [await verdict(receiver, delivery())];
      expect(handler).toHaveBeenCalledTimes(1);
      expect(onError.mock.calls).toEqual([[gone, payed]]);
      for (; answers.at(-1) !== '204' && answers.length < 5; clock.advance(minute)) {
        answers.push(await verdict(receiver, delivery()));
      }
      // Either the sender may stop, since the work is done, or it is asked to come again; never a refusal of the event.
      for (const answer of answers) expect(answer).toMatch(/^(204|409|503)\b/);
      expect(answers.at(-1)).toBe('204');
    },
  );

  test.each(ways)('confirm %s: 204, since the work is done', async (_way, fail) => {
    const { clock, handler, receiver, seen } = setUp();
    vi.spyOn(seen, 'confirm').mockImplementationOnce(fail);
    for (let sent = 0; sent < 5; sent++, clock.advance(minute)) {
      if ((await verdict(receiver, delivery())) === '204') break;
    }
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('confirm reports a lost lease: 204, since the work is done', async () => {
    const { handler, onError, receiver, seen } = setUp();
    vi.spyOn(seen, 'confirm').mockResolvedValueOnce(false);
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(handler).toHaveBeenCalledTimes(1);
    expect(onError).not.toHaveBeenCalled();
  });

  test.each(ways)(
    'release %s: still 503 for the handler, whose own error onError is told; the lease lapses by itself',
    async (_way, fail) => {
      const { clock, handler, onError, receiver, seen } = setUp();
      const cause = new Error('of the handler');
      handler.mockImplementationOnce(() => {
        throw cause;
      });
      vi.spyOn(seen, 'release').mockImplementationOnce(fail);
      expect(await verdict(receiver, delivery())).toBe(failed);
      expect(onError).toHaveBeenCalledTimes(1);
      expect(onError.mock.calls[0]?.[0]).toBe(cause);
      expect(await verdict(receiver, delivery())).toBe(inProgress);
      clock.advance(minute);
      expect(await verdict(receiver, delivery())).toBe('204');
      expect(handler).toHaveBeenCalledTimes(2);
    },
  );
});
