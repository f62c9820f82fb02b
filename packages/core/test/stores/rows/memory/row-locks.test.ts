import { describe, expect, test } from 'vitest';
import { type Holder, waitForEnd } from '../../../../src/stores/rows/memory/row-locks.ts';
import { settled } from '../../../support/clock.ts';

const open = () => {
  const ended = Promise.withResolvers<void>();
  const holder: Holder = { ended: ended.promise, isOpen: true, waitsFor: undefined };
  return { holder, end: ended.resolve };
};

describe('waitForEnd', () => {
  test('resolves when the awaited transaction ends', async () => {
    const [first, second] = [open(), open()];
    let done = false;
    const waiting = waitForEnd(first.holder, second.holder).then(() => {
      done = true;
    });
    await settled();
    expect([done, second.holder.waitsFor]).toEqual([false, first.holder]);
    first.end();
    await waiting;
    expect([done, second.holder.waitsFor]).toEqual([true, undefined]);
  });

  test('a wait that would close a cycle is refused, whatever its length', async () => {
    for (let length = 1; length <= 5; length++) {
      const all = Array.from({ length }, open);
      const waits = all
        .slice(1)
        .map(({ holder }, index) => waitForEnd(holder, (all[index] as (typeof all)[number]).holder));
      const [first, last] = [all[0], all.at(-1)] as [(typeof all)[number], (typeof all)[number]];
      await expect(waitForEnd(first.holder, last.holder)).rejects.toThrow('Deadlock');
      for (const { end } of all) end();
      await Promise.all(waits);
    }
  });

  test('two may wait for one', async () => {
    const [first, one, two] = [open(), open(), open()];
    const waits = Promise.all([waitForEnd(first.holder, one.holder), waitForEnd(first.holder, two.holder)]);
    first.end();
    await waits;
    expect([one.holder.waitsFor, two.holder.waitsFor]).toEqual([undefined, undefined]);
  });
});
