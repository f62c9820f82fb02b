import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyRow } from '../../../../src/stores/rows/memory/row-order.ts';
import { createTableRows } from '../../../../src/stores/rows/memory/table-rows.ts';
import { integer, number, optional, table, text } from '../../../../src/stores/rows/port/table.ts';
import { runs } from '../../../support/runs.ts';

const parcels = table({
  name: 'parcels',
  columns: { account: text(), id: integer(), weight: number(), label: optional(text()), state: text() },
  key: ['account', 'id'],
  indexes: {
    key: { columns: ['account', 'id'] },
    weight: { columns: ['account', '-weight', 'id'] },
    all: { columns: ['weight', 'account', 'id'] },
    id: { columns: ['id', 'weight', 'account'] },
    label: { columns: ['account', 'label'], isUnique: true },
    open: { columns: ['account', 'weight'], where: ['state', 'open'] },
  },
});

const row = fc.record({
  account: fc.constantFrom('a', 'b', '\u{1f5dd}', '\uff5e'),
  id: fc.nat({ max: 6 }),
  weight: fc.nat({ max: 5 }),
  label: fc.option(fc.constantFrom('x', 'y', 'z', '\u{1f5dd}', '\uff5e'), { nil: undefined }),
  state: fc.constantFrom('open', 'done'),
});
type Parcel = typeof row extends fc.Arbitrary<infer R> ? R : never;

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const orders: Record<string, { has(row: Parcel): boolean; compare(a: Parcel, b: Parcel): number }> = {
  key: { has: () => true, compare: (a, b) => byBytes(a.account, b.account) || a.id - b.id },
  weight: {
    has: () => true,
    compare: (a, b) => byBytes(a.account, b.account) || b.weight - a.weight || a.id - b.id,
  },
  all: { has: () => true, compare: (a, b) => a.weight - b.weight || byBytes(a.account, b.account) || a.id - b.id },
  id: { has: () => true, compare: (a, b) => a.id - b.id || a.weight - b.weight || byBytes(a.account, b.account) },
  label: {
    has: ({ label }) => label !== undefined,
    compare: (a, b) => byBytes(a.account, b.account) || byBytes(a.label ?? '', b.label ?? ''),
  },
  open: {
    has: ({ state }) => state === 'open',
    compare: (a, b) => byBytes(a.account, b.account) || a.weight - b.weight || a.id - b.id,
  },
};

test('each index has its rows in order, whenever it is first read, and after refused rows', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('put' as const), row }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('delete' as const), row }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constantFrom(...Object.keys(orders)), row }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), fc.boolean(), (steps, newestFirst, isWhole) => {
      const rows = createTableRows(parcels);
      const model = new Map<string, Parcel>();
      const read = (index: string, prefix: readonly unknown[]) => {
        const found: AnyRow[] = [];
        rows.index(index).visit({ prefix }, newestFirst, (each) => found.push(each) > 0);
        return newestFirst ? found.reverse() : found;
      };
      const check = (index: string) => {
        const { has, compare } = orders[index] as (typeof orders)[string];
        const expected = [...model.values()].filter(has).sort(compare);
        // Rows are grouped by as many columns as every range had.
        if (isWhole) expect(read(index, [])).toEqual(expected);
        if (index !== 'all' && index !== 'id')
          for (const account of ['a', '\uff5e'])
            expect(read(index, [account])).toEqual(expected.filter((each) => each.account === account));
      };
      for (const { act, row: given } of steps) {
        const name = `${given.account}\0${given.id}`;
        const key = [given.account, given.id];
        const before = rows.get(key);
        expect(before).toEqual(model.get(name));
        if (act === 'put') {
          const isTaken = [...model].some(
            ([other, { account, label }]) =>
              other !== name && label !== undefined && label === given.label && account === given.account,
          );
          if (isTaken) expect(() => rows.put(key, given)).toThrow('parcels: another row');
          else {
            rows.put(key, given);
            model.set(name, given);
          }
        } else if (act === 'delete') {
          rows.delete(key);
          model.delete(name);
        } else check(act);
      }
      for (const index of Object.keys(orders)) check(index);
    }),
    runs,
  );
});

test('the first read of an index finds the rows of a range with an end: before, at and after the smallest', () => {
  const few = fc.record({ account: fc.constantFrom('a', 'b'), id: fc.nat({ max: 1 }), weight: fc.nat({ max: 3 }) });
  const ends = fc.record({ end: fc.constantFrom('to' as const, 'before' as const), weight: fc.nat({ max: 3 }) });
  fc.assert(
    fc.property(fc.array(few, { minLength: 1, maxLength: 4 }), ends, fc.boolean(), (puts, { end, weight }, isWhole) => {
      const rows = createTableRows(parcels);
      const model = new Map<string, Parcel>();
      for (const each of puts) {
        const made = { ...each, label: undefined, state: 'open' } as const;
        rows.put([each.account, each.id], made);
        model.set(`${each.account}${each.id}`, made);
      }
      const read = (index: 'id' | 'open', range: { readonly prefix: readonly unknown[] }) => {
        const found: AnyRow[] = [];
        rows.index(index).visit(range, false, (each) => found.push(each) > 0);
        return found;
      };
      const sorted = (index: 'id' | 'open', isIn: (row: Parcel) => boolean) =>
        [...model.values()].filter(isIn).sort(orders[index]?.compare);
      const isIn = (value: number) => (end === 'to' ? value <= weight : value < weight);
      if (isWhole) expect(read('id', { prefix: [], [end]: [weight] })).toEqual(sorted('id', ({ id }) => isIn(id)));
      const ofAccount = sorted('open', ({ account }) => account === 'a');
      expect(read('open', { prefix: ['a'], [end]: [weight] })).toEqual(ofAccount.filter((row) => isIn(row.weight)));
      const ofWeight = ofAccount.filter((row) => row.weight === weight);
      expect(read('open', { prefix: ['a', weight] })).toEqual(ofWeight);
    }),
    runs,
  );
});
