import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyMap, type RowKey } from '../../../src/rows/memory/key-map.ts';
import { runs } from '../../support/runs.ts';

interface Entry {
  readonly key: RowKey;
  readonly value: number;
}

test('an entry is found by its whole key, and by no other, after any changes', () => {
  // Few values in each column: most keys agree in some of them. More than eight make a list into a map.
  const script = fc.integer({ min: 1, max: 4 }).chain((length) => {
    const key = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.constantFrom('0', 'a', '')), {
      minLength: length,
      maxLength: length,
    });
    const step = fc.record({ act: fc.constantFrom('set' as const, 'add' as const, 'delete' as const), key });
    return fc.record({ length: fc.constant(length), steps: fc.array(step, { maxLength: 80 }) });
  });
  fc.assert(
    fc.property(script, ({ length, steps }) => {
      const entries = new KeyMap<Entry>(length, ({ key }, column) => key[column]);
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
        }
        expect(entries.get(key)).toBe(model.get(name));
        expect(entries.size).toBe(model.size);
      }
      for (const { key } of steps) expect(entries.get(key)).toBe(model.get(JSON.stringify(key)));
      for (const { key } of steps)
        for (let columns = 0; columns <= length; columns++) {
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
