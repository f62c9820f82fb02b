import {
  type Endpoint,
  type EndpointInput,
  type EndpointUpdate,
  type EndpointView,
  type EventType,
  eventTypes,
} from '@partnerkit/core';
import fc from 'fast-check';
import { apiKeyArbitrary, headerNameArbitrary } from './headers.ts';
import { idArbitrary, identifierArbitrary, moment } from './identifiers.ts';
import { recordOf } from './record-of.ts';
import { sealedArbitrary } from './sealed.ts';
import { publicUrlArbitrary } from './urls.ts';

const subscription = (): fc.Arbitrary<readonly EventType[]> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.uniqueArray(fc.constantFrom(...eventTypes), { minLength: 1 }) },
    { weight: 1, arbitrary: fc.constant(eventTypes) },
  );

/**
 * Endpoints as they are stored, in every state and phase of a rotation. What is sealed in them opens with no key: for one
 * that can be delivered to, create {@link endpointInputArbitrary}.
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
    ['label', 'nextSecret', 'activateNextAt', 'apiKey'],
  ).map(({ activateNextAt, ...endpoint }) => ({
    ...endpoint,
    ...(endpoint.nextSecret === undefined || activateNextAt === undefined ? {} : { activateNextAt }),
    ...change,
  }));

/**
 * Endpoints as a screen of the host shows them.
 * @example
 * fc.assert(fc.property(endpointViewArbitrary(), (view) => !('secret' in view)));
 * @public
 */
export const endpointViewArbitrary = (change: Partial<EndpointView> = {}): fc.Arbitrary<EndpointView> =>
  endpointArbitrary().map(({ secret: _secret, version: _version, nextSecret, apiKey, ...endpoint }) => ({
    ...endpoint,
    rotating: nextSecret !== undefined,
    ...(apiKey ? { apiKeyHeader: apiKey.header } : {}),
    ...change,
  }));

const inputFields = () => ({
  url: publicUrlArbitrary(),
  events: subscription(),
  label: identifierArbitrary(),
  apiKey: apiKeyArbitrary(),
  standardWebhooks: fc.boolean(),
  includeChildren: fc.boolean(),
});

/**
 * What a partner may fill in for a new endpoint.
 * @example
 * const property = fc.asyncProperty(endpointInputArbitrary(), async (input) => {
 *   const { kit } = await scriptedHost();
 *   return (await kit.endpoints.create('acc_own', input)).isOk();
 * });
 * await fc.assert(property);
 * @public
 */
export const endpointInputArbitrary = (change: Partial<EndpointInput> = {}): fc.Arbitrary<EndpointInput> =>
  recordOf<EndpointInput>(inputFields(), change, ['label', 'apiKey', 'standardWebhooks', 'includeChildren']);

/**
 * What a partner may change of an endpoint: any of its fields, or nothing; `null` removes. A change of the URL names the API key too, or
 * removes it, so that an endpoint with an API key accepts it.
 * @example
 * const property = fc.asyncProperty(endpointUpdateArbitrary(), async (update) => {
 *   const { kit, endpoint } = await scriptedHost();
 *   return (await kit.endpoints.update('acc_own', endpoint.id, update)).isOk();
 * });
 * await fc.assert(property);
 * @public
 */
export const endpointUpdateArbitrary = (): fc.Arbitrary<EndpointUpdate> => {
  const { label, apiKey, ...fields } = inputFields();
  return fc
    .record(
      { ...fields, label: fc.option(label), apiKey: fc.option(apiKey) },
      { requiredKeys: [], noNullPrototype: true },
    )
    .map((change) => (change.url === undefined ? change : { apiKey: null, ...change }));
};
