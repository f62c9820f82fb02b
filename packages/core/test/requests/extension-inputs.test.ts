import { expect, test } from 'vitest';
import { z } from 'zod';
import { extendedWorld } from './extended-world.ts';
import { alone, done, own, recipient } from './world.ts';

const world = <const X extends z.ZodObject>(schema: X) =>
  extendedWorld({ payments: schema, paymentTemplates: schema }).requests;
const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
const pointersOf = async (refused: PromiseLike<{ readonly error?: unknown }>): Promise<readonly string[]> => {
  const { error } = await refused;
  const { errors } = error as { readonly errors: readonly { readonly pointer: string }[] };
  return errors.map(({ pointer }) => pointer);
};

test('a creation with only fields of the host is refused, naming the missing built-in fields', async () => {
  const { payments, paymentTemplates } = world(z.object({ room: z.string() }));
  expect(await pointersOf(paymentTemplates.create(own.id, { room: '12' } as never, alone) as never)).toEqual(['/name']);
  expect(await pointersOf(payments.create(own.id, { room: '12' } as never, alone) as never)).toEqual([
    '/recipient',
    '/name',
    '/amount',
  ]);
});

test('a change reports wrong fields of the host and built-in ones at once', async () => {
  const { payments } = world(z.object({ room: z.string(), guests: z.int().optional() }));
  const { id } = await done(payments.create(own.id, { ...input, room: '12' }, alone));
  const change = (fields: object) =>
    pointersOf(payments.perform(own.id, id, 'change', { input: fields as never, ...alone }) as never);
  expect(await change({ amount: -1, room: 5, guests: 'two' })).toEqual(['/amount', '/room', '/guests']);
  expect(await change({ amount: -1, room: null })).toEqual(['/amount', '/room']);
  expect(await change({ status: 'payed', guests: 2 })).toEqual(['/status']);
  expect(await change({ room: null })).toEqual(['/room']);
});

test('a field that must be there and may be null keeps its null, and takes it', async () => {
  const { payments } = world(z.object({ room: z.string().nullable() }));
  const { id } = await done(payments.create(own.id, { ...input, room: null }, alone));
  expect(await done(payments.perform(own.id, id, 'change', { input: { name: 'Longer' }, ...alone }))).toMatchObject({
    room: null,
  });
  await done(payments.perform(own.id, id, 'change', { input: { room: '12' }, ...alone }));
  expect(await done(payments.perform(own.id, id, 'change', { input: { room: null }, ...alone }))).toMatchObject({
    room: null,
  });
});

test('a change merges objects of the host, and replaces lists', async () => {
  const room = z.object({ floor: z.int(), view: z.string().optional(), tags: z.array(z.string()).default([]) });
  const { payments } = world(z.object({ room: room.optional() }));
  const { id } = await done(payments.create(own.id, { ...input, room: { floor: 3, view: 'sea', tags: ['a'] } }, alone));
  const change = async (fields: object) =>
    (await done(payments.perform(own.id, id, 'change', { input: { room: fields }, ...alone }))).room;
  expect(await change({ floor: 4, tags: ['b'] })).toEqual({ floor: 4, view: 'sea', tags: ['b'] });
  expect(await change({ view: null })).toEqual({ floor: 4, tags: ['b'] });
  expect(
    await pointersOf(payments.perform(own.id, id, 'change', { input: { room: { floor: null } }, ...alone }) as never),
  ).toEqual(['/room/floor']);
  expect(await done(payments.perform(own.id, id, 'change', { input: { room: null }, ...alone }))).not.toHaveProperty(
    'room',
  );
});

test('values that cannot be stored or sent are refused in place', async () => {
  const { payments } = world(z.object({ room: z.unknown() }));
  const refused = (room: unknown) => pointersOf(payments.create(own.id, { ...input, room }, alone) as never);
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  expect(await refused({ a: ['ok', '\ud800'], b: 'a\0b' })).toEqual(['/room/a/1', '/room/b']);
  await done(payments.create(own.id, { ...input, room: nested(32) }, alone));
  expect(await refused(nested(33))).toEqual([`/room${'/0'.repeat(32)}`]);
  expect(await refused(nested(30_000))).toEqual([`/room${'/0'.repeat(32)}`]);
});
