import { expect, test } from 'vitest';
import type { RequestLine } from '../../../src/requests/exports/request-line.ts';
import { alone, done, own, recipient, requestWorld, stranger, type World } from '../world.ts';

const sum = { name: 'Stay', currency: 'EUR', recipient };

const linesOf = async ({ kit }: Pick<World, 'kit'>, accountId = own.id) => {
  const lines: RequestLine[] = [];
  for await (const line of kit.export({ accounts: [accountId] }))
    if (line.kind === 'request' || line.kind === 'template' || line.kind === 'history' || line.kind === 'transaction')
      lines.push(line);
  return lines;
};
/** Each line in a few words. */
const told = (lines: readonly RequestLine[]) =>
  lines.map((line) => {
    if (line.kind === 'history') return `history ${line.object} ${line.entry.command}`;
    if (line.kind === 'transaction') return `transaction ${line.transaction.object} ${line.transaction.kind}`;
    return `${line.kind} ${line.object}`;
  });

test('each object is followed by its history and its transactions; a deposit comes before its cash-outs', async () => {
  const world = requestWorld();
  const { requests } = world;
  const { id } = await done(requests.deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
  const input = { transaction: { processorReference: 'pi_1' } };
  await done(requests.deposits.perform(own.id, id, 'succeedDeposit', { ...alone, input }));
  await done(requests.cashOuts.create(own.id, { depositId: id, amount: 20 }, alone));
  await done(requests.payments.create(own.id, { ...sum, amount: 10 }, alone));
  await done(requests.paymentTemplates.create(own.id, { name: 'Stay' }, alone));
  await done(requests.depositTemplates.create(own.id, { name: 'Deposit' }, alone));
  await done(requests.payments.create(stranger.id, { ...sum, amount: 10 }, alone));
  const lines = await linesOf(world);
  expect(told(lines)).toEqual([
    ...['template ModelRequestPayment', 'history ModelRequestPayment create'],
    ...['template ModelRequestSecurityDeposit', 'history ModelRequestSecurityDeposit create'],
    ...['request RequestPayment', 'history RequestPayment create'],
    ...['request RequestSecurityDeposit', 'history RequestSecurityDeposit create'],
    ...['history RequestSecurityDeposit succeedDeposit', 'history RequestSecurityDeposit create'],
    'transaction RequestSecurityDeposit authorisation',
    ...['request CashOut', 'history CashOut create'],
  ]);
  expect(lines.find(({ kind }) => kind === 'transaction')).toMatchObject({
    transaction: { objectId: id, processorReference: 'pi_1', amount: 30_000, number: 1 },
  });
});

test('a report that is given while its object is exported is in none of its lines', async () => {
  const world = requestWorld();
  const { requests } = world;
  const { id } = await done(requests.payments.create(own.id, { ...sum, amount: 10 }, alone));
  const report = (processorReference: string) =>
    done(
      requests.payments.perform(own.id, id, 'failTransaction', {
        ...alone,
        input: { transaction: { kind: 'charge', amount: 10, processorReference } },
      }),
    );
  await report('pi_1');
  const lines: RequestLine[] = [];
  for await (const line of world.kit.export({ accounts: [own.id] })) {
    if (line.kind === 'request') await report('pi_2');
    if (line.kind === 'history' || line.kind === 'transaction') lines.push(line);
  }
  expect(told(lines)).toEqual([
    'history RequestPayment create',
    'history RequestPayment failTransaction',
    'transaction RequestPayment charge',
  ]);
  expect(told(await linesOf(world))).toHaveLength(6);
});

test('requests of another environment, and of an account that the directory does not know, are not exported', async () => {
  const world = requestWorld();
  await done(world.requests.payments.create(own.id, { ...sum, amount: 10 }, alone));
  world.place(own.id, 'preprod');
  expect(await linesOf(world)).toEqual([]);
  expect(await linesOf(world, 'nobody')).toEqual([]);
});
