import type { Page, PageRequest } from '@partnerkit/core';
import fc from 'fast-check';

/**
 * How many a caller asks for: 1 to 100, or no matter how many. `after` is only ever the `next` of a page, so none is made up.
 * @example
 * fc.assert(fc.property(pageRequestArbitrary(), ({ limit = 50 }) => limit >= 1 && limit <= 100));
 * @public
 */
export const pageRequestArbitrary = (change: Partial<PageRequest> = {}): fc.Arbitrary<PageRequest> =>
  fc
    .record({ limit: fc.integer({ min: 1, max: 100 }) }, { requiredKeys: [] })
    .map((request) => ({ ...request, ...change }));

/**
 * Pages of anything, the last one or not, as the double of a store answers them. A page that is not the last is not empty.
 * @example
 * fc.assert(fc.property(pageArbitrary(clientArbitrary()), ({ items, next }) => next === undefined || items.length > 0));
 * @public
 */
export const pageArbitrary = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<Page<T>> =>
  fc
    .tuple(fc.array(item, { maxLength: 5 }), fc.option(fc.base64String({ minLength: 1, maxLength: 24 })))
    .map(([items, next]) => (next === null || items.length === 0 ? { items } : { items, next }));
