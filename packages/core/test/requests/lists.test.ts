import { expect, test } from 'vitest';
import type { PageRequest } from '../../src/pagination/page.ts';
import { alone, codeOf, done, own, recipient, requestWorld, stranger } from './world.ts';

test('a cursor belongs to its list: its kind, account, environment, order and each field of its filter', async () => {
  const { requests, clock } = requestWorld();
  const { payments, deposits } = requests;
  for (let count = 0; count < 3; count++)
    await done(payments.create(own, { name: 'Stay', amount: 5, currency: 'EUR', recipient }, alone));
  const filter = {
    statuses: ['pending'],
    recipientEmail: recipient.email,
    createdFrom: 0,
    createdTo: clock.now() + 1,
  };
  const { next: after = '' } = await done(payments.list(own, { limit: 1 }, filter));
  expect((await done(payments.list(own, { after }, filter))).items).toHaveLength(2);
  const page: PageRequest = { after };
  const { statuses, createdFrom, createdTo, ...rest } = filter;
  for (const other of [
    payments.list(stranger, page, filter),
    payments.list({ ...own, environment: 'dev' }, page, filter),
    payments.list(own, { ...page, newestFirst: true }, filter),
    payments.list(own, page, { ...rest, createdFrom, createdTo }),
    payments.list(own, page, { statuses, createdFrom, createdTo }),
    payments.list(own, page, { ...filter, statuses: ['payed'] }),
    payments.list(own, page, { ...rest, statuses, createdTo }),
    payments.list(own, page, { ...filter, createdFrom: 1 }),
    payments.list(own, page, { ...rest, statuses, createdFrom }),
    payments.list(own, page, { ...filter, createdTo: createdTo + 1 }),
    payments.list(own, page, { ...filter, templateId: 'x' }),
    payments.list(own, page, { ...filter, depositId: 'x' }),
    payments.list(own, page, { ...filter, reference: 'x' }),
    payments.list(own, page, { ...filter, updatedFrom: 0 }),
    payments.list(own, page, { ...filter, updatedTo: createdTo }),
  ])
    expect(await codeOf(other)).toBe('invalid_cursor');
  expect(await codeOf(deposits.list(own, page, filter))).toBe('invalid_cursor');
});
