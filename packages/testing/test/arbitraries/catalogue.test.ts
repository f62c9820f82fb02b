import { catalogue } from '@partnerkit/core';
import { expect, test } from 'vitest';
import { eventPairArbitrary } from '../../src/arbitraries/catalogue.ts';
import { many } from './support.ts';

test('all 32 pairs and 23 types of the catalogue are made, and no other', () => {
  const made = many(eventPairArbitrary());
  expect(made.filter(({ objectName, type }) => !catalogue.has(objectName, type))).toEqual([]);
  expect(new Set(made.map(({ objectName, type }) => `${objectName} ${type}`)).size).toBe(32);
  expect(new Set(made.map(({ type }) => type))).toEqual(new Set(catalogue.eventTypes));
});

test('an object name or a type that is fixed leaves the pairs that have it', () => {
  const ofPayment = new Set(many(eventPairArbitrary({ objectName: 'RequestPayment' })).map(({ type }) => type));
  expect([...ofPayment].toSorted()).toEqual(['cancel', 'creation', 'payed', 'transaction_failed', 'update']);
  const deleted = new Set(many(eventPairArbitrary({ type: 'deletion' })).map(({ objectName }) => objectName));
  expect([...deleted].toSorted()).toEqual(['ModelRequestPayment', 'ModelRequestSecurityDeposit']);
});

test('a pair that the catalogue has not is refused at once', () => {
  const wrong = { objectName: 'RequestPayment', type: 'check_in' } as const;
  const message = 'The catalogue has no RequestPayment with "check_in".';
  expect(() => eventPairArbitrary(wrong)).toThrow(new TypeError(message));
});
