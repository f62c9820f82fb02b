import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSame } from '../../../src/base/fields/merge-patch.ts';
import { changeFields } from '../../../src/requests/fields/change-fields.ts';
import { runs } from '../../support/runs.ts';

/** RFC 7396, section 2, word by word. */
const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
};

const text = fc.constantFrom('a', 'b', 'c');
/** Never stored without a pair. */
const metadata = fc.dictionary(text, text, { minKeys: 1 });
const object = fc.record(
  { name: text, recipient: fc.record({ email: text, name: text }, { requiredKeys: ['email'] }), metadata },
  { requiredKeys: [] },
);
const patch = fc.record(
  {
    name: fc.option(text),
    recipient: fc.record({ email: text, name: fc.option(text) }, { requiredKeys: [] }),
    metadata: fc.option(fc.dictionary(text, fc.option(text))),
  },
  { requiredKeys: [] },
);

test('a change is a merge patch of RFC 7396; the object itself comes back when nothing differs', () => {
  fc.assert(
    fc.property(object, patch, (current, change) => {
      const expected = mergePatch(current, change) as { metadata?: object };
      if (Object.keys(expected.metadata ?? {}).length === 0) delete expected.metadata;
      const changed = changeFields(current, change)._unsafeUnwrap();
      expect(changed).toEqual(expected);
      expect(changed === current).toBe(isSame(changed, current));
    }),
    runs,
  );
});

test('metadata has at most 20 pairs after a change', () => {
  const pairs = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`key${from + index}`, 'x']));
  const current = { metadata: pairs(0, 20) };
  expect(changeFields(current, { metadata: { key20: 'x' } })._unsafeUnwrapErr()).toMatchObject({
    errors: [{ pointer: '/metadata' }],
  });
  expect(changeFields(current, { metadata: { key0: null, key20: 'x' } })._unsafeUnwrap()).toEqual({
    metadata: pairs(1, 21),
  });
});

test('a stay keeps both of its dates, and their order', () => {
  const current = { stay: { from: '2027-01-10', to: '2027-01-20' } };
  expect(changeFields(current, { stay: { to: '2027-01-15' } })._unsafeUnwrap()).toEqual({
    stay: { from: '2027-01-10', to: '2027-01-15' },
  });
  expect(changeFields(current, { stay: null })._unsafeUnwrap()).toEqual({});
  for (const [wrong, pointer] of [
    [changeFields(current, { stay: { to: '2027-01-09' } }), '/stay'],
    [changeFields({}, { stay: { to: '2027-01-09' } }), '/stay/from'],
  ] as const)
    expect(wrong._unsafeUnwrapErr()).toMatchObject({ errors: [{ pointer }] });
});
