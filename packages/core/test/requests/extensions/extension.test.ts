import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as zod3 } from 'zod/v3';
import type { RequestExtensions } from '../../../src/requests/extensions/extension.ts';
import { extendRequestObjects } from '../../../src/requests/extensions/objects.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { eventsOf } from '../../support/kit.ts';
import { extendedWorld } from '../extended-world.ts';
import { alone, codeOf, done, own, recipient } from '../world.ts';

const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };

test('a field of the host with the name of a built-in field is refused', () => {
  for (const name of ['amount', 'status', 'recipient', 'metadata', 'version', 'refundedAmount', 'createdBy'])
    expect(() => extendedWorld({ payments: z.object({ [name]: z.string() }) })).toThrow(
      `extend.payments: "${name}" is`,
    );
  expect(() => extendedWorld({ deposits: z.object({ cashOut: z.string() }) })).toThrow('extend.deposits: "cashOut" is');
  expect(() => extendedWorld({ payment: z.object({}) } as RequestExtensions)).toThrow("did you mean 'payments'?");
});

describe('fields that are no object schema of zod 4 are refused with the remedy', () => {
  const refused = [
    [
      'an object schema of zod 3',
      zod3.object({ booking: zod3.string() }),
      "is no schema of zod 4. Install zod 4, or import { z } from 'zod/v4' with zod 3.25.",
    ],
    ['no schema', { booking: 'string' }, 'is no schema of zod 4.'],
    ['null', null, 'is no schema of zod 4.'],
    ['another schema', z.string(), 'must be an object schema of zod.'],
  ] as const;

  test.each(refused)('%s', (_what, schema, remedy) => {
    const extend = { cashOuts: schema } as unknown as RequestExtensions;
    expect(() => extendRequestObjects(extend)).toThrow(`extendRequestObjects: the option cashOuts ${remedy}`);
    const options = { kit: undefined, extend };
    expect(() => createRequests(options as never)).toThrow(`the option extend.cashOuts ${remedy}`);
  });

  test('an unknown kind', () => {
    expect(() => extendRequestObjects({ payment: z.object({}) } as RequestExtensions)).toThrow(
      "extendRequestObjects: there is no option 'payment'; did you mean 'payments'?",
    );
  });
});

test('a refinement over several fields of the host is checked at each change', async () => {
  const range = z
    .object({ min: z.int(), max: z.int() })
    .refine(({ min, max }) => min <= max, { path: ['max'], message: 'not below min.' });
  const { payments } = extendedWorld({ payments: range }).requests;
  const create = (min: number, max: number) => payments.create(own.id, { ...input, min, max }, alone);
  expect((await create(2, 1))._unsafeUnwrapErr()).toMatchObject({
    code: 'invalid_input',
    errors: [{ pointer: '/max', detail: 'not below min.' }],
  });
  const { id } = await done(create(1, 2));
  expect(await codeOf(payments.perform(own.id, id, 'change', { input: { min: 3 }, ...alone }))).toBe('invalid_input');
  expect(await done(payments.perform(own.id, id, 'change', { input: { min: 3, max: 4 }, ...alone }))).toMatchObject({
    min: 3,
    max: 4,
  });
});

test('a field that is not given keeps its value; one that is given as stored changes nothing', async () => {
  const { payments } = extendedWorld({ payments: z.object({ tags: z.array(z.string()).default([]) }) }).requests;
  const made = await done(payments.create(own.id, input, alone));
  expect(made.tags).toEqual([]);
  const tagged = await done(payments.perform(own.id, made.id, 'change', { input: { tags: ['a', 'b'] }, ...alone }));
  expect(tagged).toMatchObject({ tags: ['a', 'b'], version: 2 });
  expect(await done(payments.perform(own.id, made.id, 'change', { input: { tags: ['a', 'b'] }, ...alone }))).toEqual(
    tagged,
  );
  expect(
    await done(payments.perform(own.id, made.id, 'change', { input: { name: 'Longer' }, ...alone })),
  ).toMatchObject({
    name: 'Longer',
    tags: ['a', 'b'],
  });
});

test('fields of cash-outs and templates are stored and published too', async () => {
  const { requests, kit, storage } = extendedWorld({
    deposits: z.object({ room: z.string() }),
    cashOuts: z.object({ damage: z.object({ kind: z.string() }) }),
    depositTemplates: z.object({ season: z.string() }),
  });
  const { deposits, cashOuts, depositTemplates } = requests;
  await done(depositTemplates.create(own.id, { name: 'Weekend', season: 'high' }, alone));
  const request = { name: 'Stay', depositAmount: 50, currency: 'EUR', recipient };
  const { id: depositId } = await done(deposits.create(own.id, { ...request, room: '12' }, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  await done(cashOuts.create(own.id, { depositId, amount: 5, damage: { kind: 'lamp' } }, alone));
  await kit.worker().drain();
  const bodies = (await eventsOf(storage, own.id)).map((each) => 'body' in each && JSON.parse(each.body).data);
  expect(bodies[0]).toMatchObject({ season: 'high' });
  expect(bodies.at(-1)).toMatchObject({ room: '12', cashOut: { damage: { kind: 'lamp' } } });
});
