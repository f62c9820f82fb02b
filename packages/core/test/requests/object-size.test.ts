import { expect, test } from 'vitest';
import { z } from 'zod';
import { extendedWorld } from './extended-world.ts';
import { alone, codeOf, done, own, recipient } from './world.ts';

const notes = z.object({ notes: z.record(z.string(), z.string()).optional() });
const world = () => extendedWorld({ payments: notes, deposits: notes, cashOuts: notes, paymentTemplates: notes });
const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
const maxBytes = 131_072;
const maxDepositBytes = 81_920;
const maxCashOutBytes = 57_344;
const bytesOf = (record: object): number => Buffer.byteLength(JSON.stringify(record));

/** The longest texts: 3 bytes for each of 500 characters. */
const reason = { code: 'r'.repeat(64), text: '\u20ac'.repeat(500) };
/** The largest references to evidence that a command may give. */
const evidence = Array.from({ length: 20 }, () => ({
  id: 'i'.repeat(64),
  kind: 'k'.repeat(32),
  name: '\u20ac'.repeat(85),
  contentType: `image/${'x'.repeat(58)}`,
  size: Number.MAX_SAFE_INTEGER,
  sha256: 'f'.repeat(64),
}));
/** A reference of 256 bytes, each of which JSON escapes. */
const reference = '"'.repeat(256);

test('an object grown by PATCH is refused above 128 KiB, and the host can still refund it with a reason', async () => {
  const { requests, bodyBytes } = world();
  const { payments } = requests;
  const made = await done(payments.create(own.id, input, alone));
  const grow = (key: string, text: string) =>
    payments.perform(own.id, made.id, 'change', { input: { notes: { [key]: text } }, ...alone });
  // Two bytes a character: bytes count, not characters.
  let stored = await done(grow('a', '\u00e9'.repeat(30_000)));
  expect(await codeOf(grow('b', '\u00e9'.repeat(36_000)))).toBe('object_too_large');
  expect(await done(payments.find(own.id, made.id))).toEqual(stored);

  // To the last byte: a comma, the key in quotes, a colon and the quotes of the text take 7.
  const left = maxBytes - bytesOf(stored) - 7;
  const refused = (await grow('b', 'x'.repeat(left + 1)))._unsafeUnwrapErr();
  expect(refused).toEqual({
    code: 'object_too_large',
    message: 'The object would have 131073 bytes as JSON; at most 131072 are stored: shorten or remove fields.',
  });
  stored = await done(grow('b', 'x'.repeat(left)));
  expect(bytesOf(stored)).toBe(maxBytes);
  for (let times = 0; times < 3; times++)
    await done(payments.perform(own.id, made.id, 'failTransaction', { input: { reason }, ...alone }));
  const paymentUrl = `https://pay.example/${'p'.repeat(2_000)}`;
  await done(payments.perform(own.id, made.id, 'setPaymentUrl', { input: { paymentUrl }, ...alone }));
  await done(payments.perform(own.id, made.id, 'succeed', alone));
  const refunded = await done(payments.perform(own.id, made.id, 'refund', { input: { reason }, ...alone }));
  expect(refunded).toMatchObject({ status: 'refunded', reason });
  expect(await bodyBytes(own.id)).toHaveLength(9);
});

test('a new object is refused above 128 KiB, a template too', async () => {
  const { requests, bodyBytes } = world();
  const tooMuch = { notes: { a: 'x'.repeat(maxBytes) } };
  expect(await codeOf(requests.payments.create(own.id, { ...input, ...tooMuch }, alone))).toBe('object_too_large');
  expect(await codeOf(requests.paymentTemplates.create(own.id, { name: 'Weekend', ...tooMuch }, alone))).toBe(
    'object_too_large',
  );
  expect(await bodyBytes(own.id)).toEqual([]);
});

test('the largest deposit with 50 cash-outs of the largest size: every event fits, and so does every command', async () => {
  const { requests, bodyBytes } = world();
  const { deposits, cashOuts } = requests;
  const sum = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient, reference };
  const made = await done(deposits.create(own.id, sum, alone));
  const left = maxDepositBytes - bytesOf(made) - '{"notes":{"a":""}}'.length;
  const change = { notes: { a: 'x'.repeat(left) } };
  const largest = await done(deposits.perform(own.id, made.id, 'change', { input: change, ...alone }));
  expect(bytesOf(largest)).toBeGreaterThan(maxDepositBytes - 10);
  await done(deposits.perform(own.id, made.id, 'succeedDeposit', alone));

  const asked = (count: number) => ({ depositId: made.id, amount: 1, reference, notes: { a: 'x'.repeat(count) } });
  expect(await codeOf(cashOuts.create(own.id, asked(maxCashOutBytes), alone))).toBe('object_too_large');
  const small = await done(cashOuts.create(own.id, asked(0), alone));
  const room = maxCashOutBytes - bytesOf(small);
  for (let count = 1; count < 50; count++) {
    const { id } = await done(cashOuts.create(own.id, asked(room), alone));
    await done(cashOuts.perform(own.id, id, 'claim', { input: { claim: reason.text, evidence }, ...alone }));
  }
  const [last] = (await done(deposits.find(own.id, made.id))).cashOuts.slice(-1);
  const id = last?.id ?? '';
  expect(bytesOf(await done(cashOuts.find(own.id, id)))).toBeGreaterThan(maxCashOutBytes);
  const more = { input: { notes: { b: 'x' } }, ...alone };
  expect(await codeOf(cashOuts.perform(own.id, id, 'change', more))).toBe('object_too_large');
  await done(cashOuts.perform(own.id, id, 'deny', { input: { reason, evidence }, ...alone }));
  await done(
    cashOuts.perform(own.id, id, 'offer', { input: { amount: 1, description: reason.text, evidence }, ...alone }),
  );
  await done(cashOuts.perform(own.id, id, 'fail', { input: { reason }, ...alone }));
  await done(deposits.perform(own.id, made.id, 'fail', { input: { reason }, ...alone }));
  const bytes = await bodyBytes(own.id);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(262_144);
});

test('without fields of the host, the largest cash-out and the largest deposit are stored', async () => {
  const { deposits, cashOuts } = world().requests;
  const wide = '\u20ac'.repeat(500);
  const metadata = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`${'\u20ac'.repeat(38)}${index}`, wide]),
  );
  const largest = { metadata, description: wide, reference };
  const made = await done(
    deposits.create(own.id, { ...largest, name: '"'.repeat(256), depositAmount: 1, currency: 'EUR', recipient }, alone),
  );
  await done(deposits.perform(own.id, made.id, 'succeedDeposit', alone));
  await done(cashOuts.create(own.id, { ...largest, depositId: made.id, amount: 1, evidence }, alone));
});
