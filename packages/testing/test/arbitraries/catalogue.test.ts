import { requestObjects } from '@partnerkit/core/requests';
import { expect, test } from 'vitest';
import { eventPairArbitrary } from '../../src/arbitraries/catalogue.ts';
import { many } from './support.ts';

const named = (pairs: readonly { readonly objectName: string; readonly type: string }[]) =>
  new Set(pairs.map(({ objectName, type }) => `${objectName} ${type}`));

test('all 32 pairs of the specification are made, and no other', () => {
  const made = named(many(eventPairArbitrary()));
  expect(made).toEqual(named(requestObjects.flatMap(({ entries }) => entries)));
  expect(made.size).toBe(32);
});

test('an object name or a type that is fixed leaves the pairs that have it', () => {
  const ofPayment = new Set(many(eventPairArbitrary({ objectName: 'RequestPayment' })).map(({ type }) => type));
  expect([...ofPayment].toSorted()).toEqual(['cancel', 'creation', 'payed', 'transaction_failed', 'update']);
  const deleted = new Set(many(eventPairArbitrary({ type: 'deletion' })).map(({ objectName }) => objectName));
  expect([...deleted].toSorted()).toEqual(['ModelRequestPayment', 'ModelRequestSecurityDeposit']);
});

test('a pair that the specification does not have is refused at once', () => {
  const wrong = { objectName: 'RequestPayment', type: 'check_in' } as const;
  const message = 'The specification has no RequestPayment with "check_in".';
  expect(() => eventPairArbitrary(wrong)).toThrow(new TypeError(message));
});
