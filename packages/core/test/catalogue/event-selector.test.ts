import { expect, test } from 'vitest';
import { catalogue, eventTypes, type ObjectName, objectNames } from '../../src/catalogue/catalogue.ts';
import { eventSelectors, isSelected } from '../../src/catalogue/event-selector.ts';

const pairs = objectNames.flatMap((objectName: ObjectName) =>
  catalogue[objectName].map((type) => ({ objectName, type })),
);

test('every type and every pair of the catalogue can be selected, once', () => {
  expect(eventSelectors).toHaveLength(eventTypes.length + pairs.length);
  expect(new Set(eventSelectors).size).toBe(eventSelectors.length);
});

test('a type selects it of every object, a pair of its own object alone', () => {
  for (const selector of eventSelectors)
    for (const event of pairs) {
      const expected = selector === event.type || selector === `${event.objectName}.${event.type}`;
      expect(isSelected([selector], event)).toBe(expected);
    }
  expect(pairs.filter((event) => isSelected(['creation'], event))).toHaveLength(4);
  expect(pairs.filter((event) => isSelected(['RequestPayment.creation'], event))).toEqual([
    { objectName: 'RequestPayment', type: 'creation' },
  ]);
});
