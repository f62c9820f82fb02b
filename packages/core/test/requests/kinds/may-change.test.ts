import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mayChange } from '../../../src/requests/kinds/may-change.ts';
import { extendedWorld } from '../extended-world.ts';
import { alone, done, own, recipient } from '../world.ts';

const only = { running: ['stay', 'recipient.email'] };
const messageOf = (state: string, given: unknown): string | undefined => {
  const checked = mayChange({ only }, state, given);
  return checked.isErr() ? `${checked.error.code}: ${checked.error.message}` : undefined;
};
const allowed = 'While it is running, these can: stay, recipient.email.';

describe('what may change in a state', () => {
  test('a state that is not named allows every field, whatever its name', () => {
    for (const state of ['pending', 'constructor', 'toString', '__proto__'])
      expect(messageOf(state, { name: 'x', recipient: null })).toBeUndefined();
    expect(mayChange({}, 'running', { name: 'x' }).isOk()).toBe(true);
  });

  test('a named state allows its fields, and what is below them', () => {
    for (const given of [
      {},
      undefined,
      { stay: null },
      { stay: { from: '2027-01-01', to: null } },
      { recipient: { email: 'a@example.com' } },
      { recipient: {} },
      { name: undefined, recipient: { name: undefined } },
    ])
      expect(messageOf('running', given)).toBeUndefined();
  });

  test('another field is refused by its path, and at most 8 are named', () => {
    const refused = (names: string) => `wrong_state: It is running: ${names} cannot be changed. ${allowed}`;
    expect(messageOf('running', { name: 'x' })).toBe(refused('name'));
    expect(messageOf('running', { name: null, stay: null })).toBe(refused('name'));
    expect(messageOf('running', { recipient: null })).toBe(refused('recipient'));
    expect(messageOf('running', { recipient: { email: 'a@example.com', name: null } })).toBe(refused('recipient.name'));
    expect(messageOf('running', { emails: 'x', 'recipient.email': 'x', stays: 1 })).toBe(refused('emails, stays'));
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, 1]));
    expect(messageOf('running', many)).toBe(refused('x0, x1, x2, x3, x4, x5, x6, x7 and others'));
  });
});

test('the host’s own fields of a deposit change while it is pending alone', async () => {
  const { requests } = extendedWorld({ deposits: z.object({ room: z.string().optional() }) });
  const { deposits } = requests;
  const input = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient };
  const { id } = await done(deposits.create(own.id, input, alone));
  const change = (room: string) => deposits.perform(own.id, id, 'change', { input: { room } as never, ...alone });
  expect(await done(change('1'))).toMatchObject({ room: '1', version: 2 });
  await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
  expect((await change('2'))._unsafeUnwrapErr().message).toContain('It is in_progress: room cannot be changed.');
  expect(await done(deposits.find(own.id, id))).toMatchObject({ room: '1', version: 3 });
});
