import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyMap, type RowKey } from '../../../../src/stores/rows/memory/key-map.ts';
import { SharedKeys } from '../../../../src/stores/rows/memory/shared-keys.ts';
import { runs } from '../../../support/runs.ts';

interface Entry {
  readonly key: RowKey;
  readonly value: number;
}

test('an entry is found by its whole key, and by no other, after any changes, whatever other maps share of it', () => {
  // Few values in each column: most keys agree in some of them. More than eight make a list into a map.
  const script = fc.integer({ min: 1, max: 4 }).chain((length) => {
    const key = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.constantFrom('0', 'a', '')), {
      minLength: length,
      maxLength: length,
    });
    const step = fc.record({ act: fc.constantFrom('set' as const, 'add' as const, 'delete' as const), key });
    const isShared = length > 1 ? fc.boolean() : fc.constant(false);
    return fc.record({ length: fc.constant(length), isShared, steps: fc.array(step, { maxLength: 80 }) });
  });
  fc.assert(
    fc.property(script, fc.integer({ min: 2, max: 3 }), ({ length, isShared, steps }, other) => {
      const keys = new SharedKeys(2);
      const valueAt = ({ key }: Entry, column: number) => key[column];
      const entries = new KeyMap<Entry>(length, valueAt, isShared ? { keys, place: 1 } : undefined);
      const others = new KeyMap<Entry>(2, valueAt, { keys, place: 0 });
      const ofOthers = new Map<string, Entry>();
      const model = new Map<string, Entry>();
      for (const [value, { act, key }] of steps.entries()) {
        const name = JSON.stringify(key);
        expect(entries.get(key)).toBe(model.get(name));
        if (act === 'set') {
          const entry = { key, value };
          entries.set(key, entry);
          model.set(name, entry);
        } else if (act === 'add') {
          const entry = { key, value };
          expect(entries.add(key, entry)).toBe(model.get(name));
          if (!model.has(name)) model.set(name, entry);
        } else {
          expect(entries.delete(key)).toBe(model.get(name));
          model.delete(name);
          const begins = JSON.stringify(key.slice(0, 2));
          if (value % other === 0) expect(others.delete(key)).toBe(ofOthers.get(begins));
          if (value % other === 0) ofOthers.delete(begins);
          else {
            ofOthers.set(begins, { key, value });
            others.set(key, ofOthers.get(begins) as Entry);
          }
        }
        expect(entries.get(key)).toBe(model.get(name));
        expect(entries.size).toBe(model.size);
      }
      for (const { key } of steps) expect(entries.get(key)).toBe(model.get(JSON.stringify(key)));
      for (const { key } of steps) expect(others.get(key)).toBe(ofOthers.get(JSON.stringify(key.slice(0, 2))));
      for (const { key } of steps)
        for (let columns = isShared ? 2 : 0; columns <= length; columns++) {
          const prefix = key.slice(0, columns);
          const expected = [...model.values()].filter((entry) => prefix.every((value, at) => entry.key[at] === value));
          const few = entries.few(prefix);
          if (few) expect(new Set(few)).toEqual(new Set(expected));
          if (few) expect(few.length).toBe(expected.length);
          else expect(expected.length, 'many, or all of a map').toBeGreaterThan(0);
        }
      const visited: Entry[] = [];
      entries.visit((entry) => visited.push(entry));
      expect(visited.length).toBe(model.size);
      expect(new Set(visited)).toEqual(new Set(model.values()));
    }),
    runs,
  );
});
