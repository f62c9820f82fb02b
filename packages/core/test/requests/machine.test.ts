import { describe, expect, test } from 'vitest';
import { allowed } from '../../src/requests/commands/take-step.ts';
import { kinds } from '../../src/requests/kinds/all.ts';
import type { RequestKind } from '../../src/requests/kinds/define-kind.ts';
import { requestMachines } from '../../src/requests/kinds/machines.ts';
import { specifiedCatalogue as catalogue } from '../../src/webhooks/catalogue/specified-catalogue.ts';
import { tables } from './tables.ts';

const names = ['payments', 'deposits', 'paymentTemplates', 'depositTemplates', 'cashOuts'] as const;

describe.each(names)('%s', (name) => {
  const kind: RequestKind = kinds[name];

  test('in every state, every command does what its table says or is refused', () => {
    for (const state of kind.states) {
      for (const [command, { event }] of Object.entries(kind.commands)) {
        const expected = tables[name].get(`${state} ${command}`);
        const given = allowed(kind, state, command);
        if (!expected) expect(given._unsafeUnwrapErr().code).toBe('wrong_state');
        else {
          const { to = state } = given._unsafeUnwrap();
          expect([[to].flat().join(), event]).toEqual([expected.next, expected.events[0]]);
        }
      }
    }
  });
  test('every state is a state of it and can be reached, and its table has every command', () => {
    const reached = new Set<string>();
    for (const { from, to } of Object.values(requestMachines[name].commands)) {
      const targets = [to ?? []].flat();
      for (const state of [...from, ...targets]) expect(kind.states).toContain(state);
      for (const state of targets) reached.add(state);
    }
    expect(reached).toEqual(new Set(kind.states));
    const written = new Set([...tables[name].keys()].map((key) => key.split(' ')[1]));
    expect(new Set(Object.keys(kind.commands))).toEqual(written);
  });
});

test('the machines give all types of the catalogue, for all their objects, and no other', () => {
  const pairs = Object.values(requestMachines).flatMap(({ objectName, commands }) =>
    Object.values(commands).map(({ event }) => `${objectName} ${event}`),
  );
  const all = catalogue.entries.map(({ objectName, type }) => `${objectName} ${type}`);
  expect(all).toHaveLength(32);
  expect([...new Set(pairs)].sort()).toEqual(all.sort());
  for (const pair of pairs) expect(catalogue.has(...(pair.split(' ') as [string, string]))).toBe(true);
});
