import { expect, test } from 'vitest';
import { isSelected } from '../../../src/webhooks/catalogue/event-selector.ts';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';

const { eventSelectors, eventTypes } = catalogue;
const pairs = catalogue.entries.map(({ objectName, type }) => ({ objectName, type }));

test('every type and every pair of the catalogue can be selected, once', () => {
  expect(eventSelectors).toHaveLength(eventTypes.length + pairs.length);
  expect(new Set(eventSelectors).size).toBe(eventSelectors.length);
});

test('a type selects events of every object; a pair selects those of its object', () => {
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
