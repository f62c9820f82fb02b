import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/default-catalogue.ts';
import { cashOutActions } from '../../src/requests/cashouts/cash-out.ts';
import { cashOutMachine } from '../../src/requests/cashouts/machine.ts';
import { depositActions } from '../../src/requests/deposits/deposit.ts';
import { depositMachine } from '../../src/requests/deposits/machine.ts';
import { allows, type Machine } from '../../src/requests/machine.ts';
import { paymentMachine } from '../../src/requests/payments/machine.ts';
import { paymentActions } from '../../src/requests/payments/payment.ts';
import { depositTemplateMachine, paymentTemplateMachine } from '../../src/requests/templates/machine.ts';
import { depositTemplates, paymentTemplates } from '../../src/requests/templates/template.ts';
import { tables } from './tables.ts';

const machines: readonly (readonly [keyof typeof tables, Machine, object])[] = [
  ['payments', paymentMachine, paymentActions],
  ['deposits', depositMachine, depositActions],
  ['paymentTemplates', paymentTemplateMachine, paymentTemplates.actions],
  ['depositTemplates', depositTemplateMachine, depositTemplates.actions],
  ['cashOuts', cashOutMachine, cashOutActions],
];

describe.each(machines)('%s', (name, machine, actions) => {
  const given = Object.entries(machine.commands).filter(([, { from }]) => from.length > 0);

  test('in every state, every command does what its table says or is refused', () => {
    for (const state of machine.states) {
      for (const [command, { event }] of given) {
        const expected = tables[name].get(`${state} ${command}`);
        const allowed = allows(machine, state, command);
        if (!expected) expect(allowed._unsafeUnwrapErr().code).toBe('wrong_state');
        else {
          const { to = state } = allowed._unsafeUnwrap();
          expect([[to].flat().join(), event]).toEqual([expected.next, expected.events[0]]);
        }
      }
    }
  });
  test('every state is a state of it, can be reached, and every command has an action', () => {
    const reached = new Set<string>();
    for (const { from, to } of Object.values(machine.commands)) {
      const targets = [to ?? []].flat();
      for (const state of [...from, ...targets]) expect(machine.states).toContain(state);
      for (const state of targets) reached.add(state);
    }
    expect(reached).toEqual(new Set(machine.states));
    expect(Object.keys(actions)).toEqual(Object.keys(machine.commands).filter((command) => command !== 'create'));
  });
});

test('the machines give all types of the catalogue, for all their objects, and no other', () => {
  const pairs = machines.flatMap(([, { objectName, commands }]) =>
    Object.values(commands).map(({ event }) => `${objectName} ${event}`),
  );
  const all = catalogue.entries.map(({ objectName, type }) => `${objectName} ${type}`);
  expect(all).toHaveLength(32);
  expect([...new Set(pairs)].sort()).toEqual(all.sort());
  for (const pair of pairs) expect(catalogue.has(...(pair.split(' ') as [string, string]))).toBe(true);
});
