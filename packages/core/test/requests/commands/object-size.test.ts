import { expect, test } from 'vitest';
import { z } from 'zod';
import { extendedWorld } from '../extended-world.ts';
import { alone, codeOf, done, own, recipient } from '../world.ts';

const notes = z.object({ notes: z.record(z.string(), z.string()).optional() });
const world = (options: Parameters<typeof extendedWorld>[1] = {}) =>
  extendedWorld({ payments: notes, deposits: notes, cashOuts: notes, paymentTemplates: notes }, options);
const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
const maxBytes = 131_072;
const maxDepositBytes = 81_920;
const maxCashOutBytes = 49_152;
const bytesOf = (record: object): number => Buffer.byteLength(JSON.stringify(record));

/** The longest texts: 3 bytes for each of 500 characters. */
const reason = { code: 'r'.repeat(64), text: '\u20ac'.repeat(500) };
/** The largest references to evidence that a command may give. */
const evidence = Array.from({ length: 20 }, () => ({
  id: 'i'.repeat(64),
  kind: 'k'.repeat(32),
  // The most bytes as JSON: 100 characters, 256 bytes.
  name: '\u20ac'.repeat(78) + '"'.repeat(22),
  contentType: `image/${'x'.repeat(58)}`,
  size: Number.MAX_SAFE_INTEGER,
  sha256: 'f'.repeat(64),
}));
/** A reference of 256 bytes, each of which JSON escapes. */
const reference = '"'.repeat(256);
const paymentUrl = 'https://pay.example/'.padEnd(2_048, 'p');
/** A second in the year 2286. */
const time = 9_999_999_999;
/** As many digits as 50 cash-outs of one deposit can have. */
const amount = 199_999_999.98;
let transactions = 0;
/** The largest transaction: 4 KiB of metadata. */
const transaction = () => ({
  method: 'm'.repeat(64),
  outcome: reason,
  fee: 9_999_999_999.99,
  settledAt: Math.floor(Date.now() / 1_000),
  processorReference: `${transactions++}`.padStart(256, '"'),
  metadata: Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`k${index}`, 'm'.repeat(index < 8 ? 500 : 23)]),
  ),
});

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
  // A field of the host counts, although the evidence of a cash-out does not.
  const other = extendedWorld({ payments: z.object({ evidence: z.string() }) }).requests;
  const named = { ...input, evidence: 'x'.repeat(maxBytes) };
  expect(await codeOf(other.payments.create(own.id, named, alone))).toBe('object_too_large');
});

test('the largest cash-out of the largest deposit: every event fits, and so does every command', async () => {
  let ids = 0;
  // The longest ids of the host: a character that JSON escapes takes 2 bytes.
  const { requests, bodyBytes } = world({ newId: async () => `${ids++}`.padStart(256, '"') });
  const { deposits, cashOuts } = requests;
  const sum = { name: 'Stay', depositAmount: 9_999_999_999.99, currency: 'EUR', recipient, reference };
  const { id: depositId } = await done(deposits.create(own.id, sum, alone));
  const give = async (command: Parameters<typeof deposits.perform>[2], input: object = {}) =>
    done(deposits.perform(own.id, depositId, command, { input, ...alone } as never));
  const { cashOuts: _none, ...counted } = await done(deposits.find(own.id, depositId));
  const left = maxDepositBytes - bytesOf(counted) - ',"notes":{"a":""}'.length;
  expect(
    await codeOf(
      deposits.perform(own.id, depositId, 'change', { input: { notes: { a: 'x'.repeat(left + 1) } }, ...alone }),
    ),
  ).toBe('object_too_large');
  await give('change', { notes: { a: 'x'.repeat(left) } });
  await give('registerUser', { name: reference, phone: '+441234567890123', language: 'de-CH-1996-u-co-phonebk' });
  await give('setPaymentUrl', { paymentUrl, paymentUrlExpiresAt: time });
  await give('remind');
  await give('send', { reason });
  await give('succeedDeposit', { guaranteedUntil: time, claimUntil: time });
  await give('checkIn');
  await give('checkOut');

  const asked = (count: number) => ({ depositId, amount, reference, notes: { a: 'x'.repeat(count) } });
  const on = async (id: string, command: Parameters<typeof cashOuts.perform>[2], input: object = {}) =>
    done(cashOuts.perform(own.id, id, command, { input, ...alone } as never));
  const collected = async (id: string) => {
    await on(id, 'accept', { amount });
    await on(id, 'complete', { amount: amount - 2, transaction: transaction() });
    await on(id, 'refund', { amount: amount - 3, transaction: transaction() });
  };
  expect(await codeOf(cashOuts.create(own.id, asked(maxCashOutBytes), alone))).toBe('object_too_large');
  const small = await done(cashOuts.create(own.id, asked(0), alone));
  const room = maxCashOutBytes - bytesOf(small);
  const others = [small.id];
  while (others.length < 49) others.push((await done(cashOuts.create(own.id, asked(0), alone))).id);
  // With two transactions each, 30 in all.
  for (const other of others.slice(34)) await collected(other);
  const { id } = await done(cashOuts.create(own.id, asked(room), alone));
  const more = { input: { notes: { b: 'x' } }, ...alone };
  expect(await codeOf(cashOuts.perform(own.id, id, 'change', more))).toBe('object_too_large');
  await on(id, 'pauseDeadline');
  await on(id, 'claim', { claim: reason.text, evidence });
  await on(id, 'deny', { reason, evidence });
  await give('setTerm', { guaranteedUntil: time, reason });
  await give('warnOfEnd', { reason });
  await on(id, 'offer', { amount, description: reason.text, evidence });
  await collected(id);
  await on(id, 'markIrrecoverable', { document: reference, reason });
  await on(id, 'collect', { amount: 1.01, transaction: transaction(), reason });
  await give('failTransaction', { transaction: { ...transaction(), kind: 'authorisation', amount }, reason });
  await give('fail', { reason });

  // What the 34 others would add if money moved for them, too.
  const notCollected = 34 * ',"collectedAmount":199999999.96,"refundedAmount":199999999.95'.length;
  expect(Math.max(...(await bodyBytes(own.id))) + notCollected).toBeLessThanOrEqual(262_144);
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
  const { id } = await done(cashOuts.create(own.id, { ...largest, depositId: made.id, amount: 1, evidence }, alone));
  // Evidence never makes a change impossible.
  await done(cashOuts.perform(own.id, id, 'claim', { input: { evidence }, ...alone }));
  await done(cashOuts.perform(own.id, id, 'change', { input: { reference: 'C-1' }, ...alone }));
});
