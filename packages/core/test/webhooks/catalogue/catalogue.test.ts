import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';
import { runs } from '../../support/runs.ts';
import specified from '../../vectors/catalogue.json' with { type: 'json' };

const { entries, eventTypes, has, objectNames } = catalogue;
const pairsOf = (): readonly string[] => entries.map(({ objectName, type }) => `${objectName} ${type}`);
const specifiedPairs = Object.entries(specified.events).flatMap(([type, names]) =>
  names.map((name) => `${name} ${type}`),
);

describe('the catalogue of the specification, section 6', () => {
  test('has these pairs and no others', () => {
    expect([...pairsOf()].sort()).toEqual([...specifiedPairs].sort());
    expect(new Set(pairsOf()).size).toBe(specified.pairs);
  });

  test('has 4 names, 23 types, 32 pairs', () => {
    expect(objectNames).toEqual([
      'ModelRequestPayment',
      'ModelRequestSecurityDeposit',
      'RequestPayment',
      'RequestSecurityDeposit',
    ]);
    expect([...eventTypes].sort()).toEqual(Object.keys(specified.events).sort());
    expect(eventTypes).toHaveLength(23);
    expect(pairsOf()).toHaveLength(32);
  });
});

describe('has', () => {
  test.each(specifiedPairs)('%s', (pair) => {
    const [name, type] = pair.split(' ') as [string, string];
    expect(has(name, type)).toBe(true);
  });

  test('is false for everything else', () => {
    const prototypes = Object.getOwnPropertyNames(Object.prototype).concat(Object.getOwnPropertyNames(Array.prototype));
    const word = fc.oneof(
      fc.constantFrom(
        ...objectNames,
        ...eventTypes,
        ...prototypes,
        '',
        'default',
        'requestPayment',
        'Creation',
        'creation ',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(word, word, (name, type) => {
        expect(has(name, type)).toBe(specifiedPairs.includes(`${name} ${type}`));
      }),
      runs,
    );
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype'])(
    '%s is no name and no type',
    (word) => {
      for (const type of [...eventTypes, word, 'length', 'name']) expect(has(word, type)).toBe(false);
      for (const name of objectNames) expect(has(name, word)).toBe(false);
    },
  );
});
