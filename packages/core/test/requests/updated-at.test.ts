import { expect, test } from 'vitest';
import type { Result, ResultAsync } from '#result';
import { minute } from '../../src/base/runtime/time.ts';
import type { CommandRule } from '../../src/requests/kinds/define-kind.ts';
import { requestMachines } from '../../src/requests/kinds/machines.ts';
import { alone, done, own, recipient, requestWorld, type World } from './world.ts';

const sum = { name: 'Stay', currency: 'EUR', recipient };
const inputs: Readonly<Record<string, object>> = {
  change: { reference: 'R-1' },
  setPaymentUrl: { paymentUrl: 'https://pay.example/1' },
  extend: { stay: { from: '2027-03-01', to: '2027-03-05' } },
  returnTransaction: { transaction: { amount: 1 } },
  updateChargeback: { chargeback: { processorReference: 'dp_1', stage: 'inquiry' } },
  giveEvidence: { processorReference: 'dp_1', evidence: [{ id: 'f_1', kind: 'photo' }] },
  offer: { amount: 2 },
  settle: { amount: 1 },
  markIrrecoverable: { document: 'D-1' },
  setTerm: { guaranteedUntil: 4_000_000_000 },
};

/** Every command but the one that creates. */
const commandsOf = (rules: Readonly<Record<string, CommandRule>>): readonly string[] =>
  Object.entries(rules).flatMap(([name, { from }]) => (from.length === 0 ? [] : [name]));

interface Dispatched {
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Gives commands, a minute after each other: each says when it was given, and nothing says that it was made anew. */
const eachMoves = async (
  { clock }: World,
  made: Dispatched,
  names: readonly string[],
  perform: (name: string, input: object) => Promise<Result<Dispatched, unknown>> | ResultAsync<Dispatched, unknown>,
): Promise<void> => {
  for (const name of names) {
    clock.set(clock.now() + minute);
    const { createdAt, updatedAt } = await done(perform(name, inputs[name] ?? {}));
    expect([name, createdAt, updatedAt]).toEqual([name, made.createdAt, clock.now()]);
  }
};

test('updatedAt moves with each command on a payment request', async () => {
  const world = requestWorld();
  const { payments } = world.requests;
  const reports = ['succeedTransaction', 'failTransaction', 'cancelTransaction', 'returnTransaction'];
  const lives = [
    ['change', 'setPaymentUrl', 'send', 'remind', ...reports, 'succeed', 'refund', ...reports],
    ['updateChargeback', 'giveEvidence'],
    ['cancel'],
  ];
  expect(new Set(lives.flat())).toEqual(new Set(commandsOf(requestMachines.payments.commands)));
  for (const names of lives) {
    const made = await done(payments.create(own.id, { ...sum, amount: 5 }, alone));
    await eachMoves(world, made, names, (name, input) =>
      payments.perform(own.id, made.id, name as 'succeed', { input: input as never, ...alone }),
    );
  }
});

test('updatedAt moves with each command on a security deposit', async () => {
  const world = requestWorld();
  const { deposits } = world.requests;
  const transactions = ['succeedTransaction', 'failTransaction', 'cancelTransaction', 'returnTransaction'];
  const lives = [
    [
      'change',
      'setPaymentUrl',
      'send',
      'remind',
      'registerUser',
      ...transactions,
      'succeedDeposit',
      ...transactions,
      'setTerm',
      'warnOfEnd',
      'extend',
      'checkIn',
      'checkOut',
      'finish',
    ],
    ['cancel', 'updateChargeback', 'giveEvidence'],
    ['fail'],
  ];
  // Those need a dispute: the next test has one.
  const inDispute = ['litigate', 'resume'];
  expect(new Set([...lives.flat(), ...inDispute])).toEqual(new Set(commandsOf(requestMachines.deposits.commands)));
  for (const names of lives) {
    const made = await done(deposits.create(own.id, { ...sum, depositAmount: 50 }, alone));
    await eachMoves(world, made, names, (name, input) =>
      deposits.perform(own.id, made.id, name as 'finish', { input: input as never, ...alone }),
    );
  }
});

test('updatedAt of a cash-out, and of its deposit, moves with each command on the cash-out', async () => {
  const world = requestWorld();
  const { clock, requests } = world;
  const { deposits, cashOuts } = requests;
  const lives = [
    ['change', 'claim', 'offer', 'accept', 'escrow', 'complete', 'markIrrecoverable', 'collect', 'refund'],
    ['cancel'],
    // The deposit moves to litigation, and back.
    ['claim', 'deny', 'fail'],
    ['warnOfSilence', 'pauseDeadline', 'resumeDeadline', 'claim', 'deny', 'settle'],
  ];
  expect(new Set(lives.flat())).toEqual(new Set(commandsOf(requestMachines.cashOuts.commands)));
  const { id: depositId } = await done(deposits.create(own.id, { ...sum, depositAmount: 50 }, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  const depositMoved = async () => expect((await done(deposits.find(own.id, depositId))).updatedAt).toBe(clock.now());
  for (const names of lives) {
    clock.set(clock.now() + minute);
    const made = await done(cashOuts.create(own.id, { depositId, amount: 1 }, alone));
    expect([made.updatedAt, made.createdAt]).toEqual([clock.now(), clock.now()]);
    await depositMoved();
    await eachMoves(world, made, names, async (name, input) => {
      const ifVersion = name === 'accept' ? [1, 2, 3, 4] : undefined;
      const options = { input: (name === 'complete' ? { amount: 0.5 } : input) as never, ...alone, ifVersion };
      const performed = await cashOuts.perform(own.id, made.id, name as 'deny', options);
      await depositMoved();
      return performed;
    });
  }
});

test('updatedAt of a deposit moves with litigate and resume', async () => {
  const world = requestWorld();
  const { deposits, cashOuts } = world.requests;
  const made = await done(deposits.create(own.id, { ...sum, depositAmount: 50 }, alone));
  await done(deposits.perform(own.id, made.id, 'succeedDeposit', alone));
  const cashOut = await done(cashOuts.create(own.id, { depositId: made.id, amount: 1 }, alone));
  await done(cashOuts.perform(own.id, cashOut.id, 'claim', alone));
  await eachMoves(world, made, ['litigate', 'resume'], (name, input) =>
    deposits.perform(own.id, made.id, name as 'resume', { input: input as never, ...alone }),
  );
});

test('updatedAt moves with each command on a template', async () => {
  const world = requestWorld();
  for (const templates of [world.requests.paymentTemplates, world.requests.depositTemplates]) {
    const made = await done(templates.create(own.id, { name: 'Weekend' }, alone));
    const names = commandsOf(requestMachines.paymentTemplates.commands);
    await eachMoves(world, made, names, (name, input) =>
      templates.perform(own.id, made.id, name as 'delete', { input: input as never, ...alone }),
    );
  }
});

test('the history names the time of each command, of a cash-out in that of its deposit, too', async () => {
  const { clock, requests } = requestWorld();
  const { deposits, cashOuts } = requests;
  const begun = clock.now();
  const later = () => clock.set(clock.now() + minute);
  const { id: depositId } = await done(deposits.create(own.id, { ...sum, depositAmount: 50 }, alone));
  later();
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  later();
  const { id } = await done(cashOuts.create(own.id, { depositId, amount: 1 }, alone));
  later();
  await done(cashOuts.perform(own.id, id, 'claim', alone));
  later();
  // The denial moves the deposit to litigation: two entries of one moment.
  await done(cashOuts.perform(own.id, id, 'deny', alone));
  const times = (items: readonly { readonly at: number; readonly command: string }[]) =>
    items.map(({ at, command }) => [command, (at - begun) / minute]);
  expect(times((await done(cashOuts.history(own.id, id))).items)).toEqual([
    ['create', 2],
    ['claim', 3],
    ['deny', 4],
  ]);
  expect(times((await done(deposits.history(own.id, depositId))).items)).toEqual([
    ['create', 0],
    ['succeedDeposit', 1],
    ['create', 2],
    ['claim', 3],
    ['deny', 4],
    ['litigate', 4],
  ]);
});
