import { expect, test } from 'vitest';
import type { PageRequest } from '../../src/base/pagination/page.ts';
import { alone, codeOf, done, own, recipient, requestWorld, stranger } from './world.ts';

test('a cursor belongs to its list: its kind, account, environment, order and each field of its filter', async () => {
  const { requests, clock, place } = requestWorld();
  const { payments, deposits } = requests;
  for (let count = 0; count < 3; count++)
    await done(payments.create(own.id, { name: 'Stay', amount: 5, currency: 'EUR', recipient }, alone));
  const filter = {
    statuses: ['pending'],
    recipientEmail: recipient.email,
    createdFrom: 0,
    createdTo: clock.now() + 1,
  };
  const { next: after = '' } = await done(payments.list(own.id, { ...filter, page: { limit: 1 } }));
  expect((await done(payments.list(own.id, { ...filter, page: { after } }))).items).toHaveLength(2);
  const page: PageRequest = { after };
  const { statuses, createdFrom, createdTo, ...rest } = filter;
  for (const other of [
    payments.list(stranger.id, { ...filter, page }),
    payments.list(own.id, { ...filter, page: { ...page, newestFirst: true } }),
    payments.list(own.id, { ...rest, createdFrom, createdTo, page }),
    payments.list(own.id, { statuses, createdFrom, createdTo, page }),
    payments.list(own.id, { ...filter, statuses: ['payed'], page }),
    payments.list(own.id, { ...rest, statuses, createdTo, page }),
    payments.list(own.id, { ...filter, createdFrom: 1, page }),
    payments.list(own.id, { ...rest, statuses, createdFrom, page }),
    payments.list(own.id, { ...filter, createdTo: createdTo + 1, page }),
    payments.list(own.id, { ...filter, templateId: 'x', page }),
    payments.list(own.id, { ...filter, reference: 'x', page }),
    payments.list(own.id, { ...filter, updatedFrom: 0, page }),
    payments.list(own.id, { ...filter, updatedTo: createdTo, page }),
  ])
    expect(await codeOf(other)).toBe('invalid_cursor');
  expect(await codeOf(deposits.list(own.id, { ...filter, page }))).toBe('invalid_cursor');
  place(own.id, 'dev');
  expect(await codeOf(payments.list(own.id, { ...filter, page }))).toBe('invalid_cursor');
});

test('a cursor of cash-outs belongs to the deposit of its filter', async () => {
  const { deposits, cashOuts } = requestWorld().requests;
  const made = async () => {
    const input = { name: 'Stay', depositAmount: 5, currency: 'EUR', recipient };
    const { id } = await done(deposits.create(own.id, input, alone));
    await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
    for (let count = 0; count < 2; count++) await done(cashOuts.create(own.id, { depositId: id, amount: 1 }, alone));
    return id;
  };
  const [depositId, other] = [await made(), await made()];
  const { next: after = '' } = await done(cashOuts.list(own.id, { depositId, page: { limit: 1 } }));
  const page: PageRequest = { after };
  expect((await done(cashOuts.list(own.id, { depositId, page }))).items).toHaveLength(1);
  for (const wrong of [cashOuts.list(own.id, { page }), cashOuts.list(own.id, { depositId: other, page })])
    expect(await codeOf(wrong)).toBe('invalid_cursor');
});
