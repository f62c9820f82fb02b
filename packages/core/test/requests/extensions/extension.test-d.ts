import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { MemoryTransaction } from '../../../src/memory.ts';
import type { GivenCommand, PaymentRequest, Requests } from '../../../src/requests.ts';

const payments = z.object({ bookingId: z.string(), guests: z.int().optional() });
declare const extended: Requests<MemoryTransaction, { payments: typeof payments }>;
declare const plain: Requests<MemoryTransaction>;
const account = { id: 'acc_a', environment: 'prod' };
const alone = { tx: 'new' } as const;
const input = { name: 'Stay', amount: 5, currency: 'EUR', recipient: { email: 'guest@example.com' } };

describe('the fields of the host are typed', () => {
  test('in the input, the record and a change', () => {
    type Stored = Awaited<ReturnType<typeof extended.payments.find>>;
    type Record = Extract<Stored, { readonly value: unknown }>['value'];
    expectTypeOf<Record['bookingId']>().toEqualTypeOf<string>();
    expectTypeOf<Record['guests']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Record>().toExtend<PaymentRequest>();
    void extended.payments.create(account.id, { ...input, bookingId: 'B-7' }, alone);
    void extended.payments.perform(account.id, 'id', 'change', { input: { guests: null }, ...alone });
    void extended.payments.perform(account.id, 'id', 'cancel', { input: { reason: { code: 'x' } }, ...alone });
    // @ts-expect-error bookingId is missing
    void extended.payments.create(account, input, alone);
    // @ts-expect-error a number
    void extended.payments.create(account, { ...input, bookingId: 7 }, alone);
    // @ts-expect-error a number
    void extended.payments.perform(account, 'id', 'change', { input: { guests: 'two' }, ...alone });
  });

  test('and are not there without an extension', () => {
    // @ts-expect-error no such field
    void plain.payments.create(account, { ...input, bookingId: 'B-7' }, alone);
    // @ts-expect-error no such command
    void plain.payments.perform(account, 'id', 'litigate', alone);
    // @ts-expect-error tx cannot be forgotten
    void plain.payments.perform(account, 'id', 'cancel', {});
  });
});

test('onCommand knows the object by its kind', () => {
  const given = {} as GivenCommand<MemoryTransaction>;
  if (given.object === 'CashOut') expectTypeOf(given.deposit.cashOuts[0]?.amount).toEqualTypeOf<number | undefined>();
  if (given.object === 'RequestPayment') {
    expectTypeOf(given.after).toEqualTypeOf<PaymentRequest>();
    // @ts-expect-error no command of a payment request
    if (given.command === 'checkIn') return;
  }
});
