import { catalogue, type EventSelector } from '@partnerkit/core';
import type { Endpoint } from '@partnerkit/core/ports';
import fc from 'fast-check';
import { headerNameArbitrary } from './headers.ts';
import { idArbitrary, identifierArbitrary, moment } from './identifiers.ts';
import { recordOf } from './record-of.ts';
import { sealedArbitrary } from './sealed.ts';
import { publicUrlArbitrary } from './urls.ts';

const subscription = (): fc.Arbitrary<readonly EventSelector[]> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.uniqueArray(fc.constantFrom(...catalogue.eventSelectors), { minLength: 1 }) },
    { weight: 1, arbitrary: fc.constant<readonly EventSelector[]>(catalogue.eventTypes) },
  );

/**
 * Stored endpoints, in every state and phase of a rotation. No key opens their sealed values.
 * @example
 * const property = fc.asyncProperty(endpointArbitrary({ accountId: 'acc_a' }), async (endpoint) => {
 *   const { endpoints } = memoryStorage();
 *   await endpoints.insertEndpoint(endpoint, 20);
 *   deepStrictEqual(await endpoints.findEndpoint('acc_a', endpoint.id), endpoint);
 * });
 * await fc.assert(property);
 * @public
 */
export const endpointArbitrary = (change: Partial<Endpoint> = {}): fc.Arbitrary<Endpoint> =>
  recordOf<Endpoint>(
    {
      id: idArbitrary(),
      accountId: identifierArbitrary(),
      url: publicUrlArbitrary(),
      events: subscription(),
      state: fc.constantFrom('enabled', 'disabled', 'disabled_by_breaker'),
      disabledBy: fc.constant('host'),
      label: identifierArbitrary(),
      standardWebhooks: fc.boolean(),
      includeChildren: fc.boolean(),
      createdAt: moment(),
      secret: sealedArbitrary(),
      nextSecret: sealedArbitrary(),
      activateNextAt: moment(),
      apiKey: fc.record({ header: headerNameArbitrary(), value: sealedArbitrary() }, { noNullPrototype: true }),
      version: fc.integer({ min: 1, max: 1_000 }),
    },
    {},
    ['label', 'disabledBy', 'nextSecret', 'activateNextAt', 'apiKey'],
  ).map(({ activateNextAt, disabledBy, ...endpoint }) => ({
    ...endpoint,
    ...(endpoint.state === 'disabled' && disabledBy ? { disabledBy } : {}),
    ...(endpoint.nextSecret === undefined || activateNextAt === undefined ? {} : { activateNextAt }),
    ...change,
  }));
