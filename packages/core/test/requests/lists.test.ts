import { expect, test } from 'vitest';
import type { PageRequest } from '../../src/runtime/page.ts';
import { alone, codeOf, done, own, recipient, requestWorld, stranger } from './world.ts';

test('a cursor belongs to its list: its kind, account, environment, order and each field of its filter', async () => {
  const { requests, clock } = requestWorld();
  const { payments, deposits } = requests;
  for (let count = 0; count < 3; count++)
    await done(payments.create(own, { name: 'Stay', amount: 5, currency: 'EUR', recipient }, alone));
  const filter = { status: 'pending', createdFrom: 0, createdTo: clock.now() + 1 };
  const { next: after = '' } = await done(payments.list(own, { limit: 1 }, filter));
  expect((await done(payments.list(own, { after }, filter))).items).toHaveLength(2);
  const page: PageRequest = { after };
  const { status, createdFrom, createdTo } = filter;
  for (const other of [
    payments.list(stranger, page, filter),
    payments.list({ ...own, environment: 'dev' }, page, filter),
    payments.list(own, { ...page, newestFirst: true }, filter),
    payments.list(own, page, { createdFrom, createdTo }),
    payments.list(own, page, { ...filter, status: 'payed' }),
    payments.list(own, page, { status, createdTo }),
    payments.list(own, page, { ...filter, createdFrom: 1 }),
    payments.list(own, page, { status, createdFrom }),
    payments.list(own, page, { ...filter, createdTo: createdTo + 1 }),
    payments.list(own, page, { ...filter, templateId: 'x' }),
  ])
    expect(await codeOf(other)).toBe('invalid_cursor');
  expect(await codeOf(deposits.list(own, page, filter))).toBe('invalid_cursor');
});
