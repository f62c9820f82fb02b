import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, placeOf, screenNames } from '../../src/element/place.ts';

describe('a place in a URL', () => {
  it('is read as it was written', () => {
    const place = fc.record(
      {
        screen: fc.constantFrom(...screenNames),
        filter: fc.dictionary(
          fc.constantFrom('state', 'objectId', 'eventId'),
          fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('é😀', 'a&b=c#d?e%2F', '\u0000')),
          { minKeys: 1, noNullPrototype: true },
        ),
      },
      { requiredKeys: ['screen'] },
    );
    const endpoint = fc.record(
      {
        screen: fc.constant('webhooks' as const),
        id: fc.oneof(fc.uuid(), fc.constant('new')),
        isEditing: fc.constant(true),
      },
      { requiredKeys: ['screen', 'id'] },
    );
    const delivery = fc.record({
      screen: fc.constant('deliveries' as const),
      id: fc
        .tuple(fc.uuid(), fc.uuid(), fc.option(fc.integer({ min: 1, max: 32_767 }), { nil: undefined }))
        .map(([event, ofEndpoint, replay]) => [event, ofEndpoint, ...(replay === undefined ? [] : [replay])].join('.')),
    });
    const request = fc.record({
      screen: fc.constant('requests' as const),
      id: fc
        .oneof(fc.string({ minLength: 1, maxLength: 64 }), fc.constantFrom('a/b', '..', '?#&=%2F', 'é😀'))
        .filter((id) => id.isWellFormed() && !/\p{Cc}/u.test(id)),
    });
    fc.assert(
      fc.property(fc.oneof(place, endpoint, delivery, request), (each) => {
        expect(placeOf(hashOf(each))).toEqual(each);
      }),
    );
  });

  const id = '0199c7a0-1111-7222-8333-444455556666';
  it.each([
    ...['', '#', '#keys', '#/other', '#/webhooks/%', '#section-of-the-host', `#/keys/${id}`, `#/webhooks/${id}/edit/x`],
    ...['#/requests/%E0%A4%A', '#/requests/%00', `#/requests/${'x'.repeat(257)}`, '#/requests/a/edit/x'],
    ...['#/home/new', '#/events/new', '#/deliveries/new', `#/deliveries/${id}`, `#/deliveries/${id}.${id}.0`],
    ...[`#/deliveries/${id}.${id}%2F..`, `#/deliveries/${id}.${id}.1.1`, `#/deliveries/${id}.${id}.01`],
    ...['..', '..%2F..%2Flogout', '..%2F..%2F..%2Flogout', '%2e%2e', 'check', `${id}%2F..`, `${id}?`].map(
      (wrong) => `#/webhooks/${encodeURIComponent(decodeURIComponent(wrong))}`,
    ),
  ])('is not %j', (hash) => {
    expect(placeOf(hash)).toBeUndefined();
  });

  it.each([
    ['from=99999999999999999999&to=1e9', undefined],
    ['from=253402300800&to=-1', undefined],
    ['from=1763900000&to=253402300799', { from: '1763900000', to: '253402300799' }],
    ['__proto__=x&limit=5&after=x&state=held', { state: 'held' }],
  ])('has the filters of %j: %j', (query, filter) => {
    expect(placeOf(`#/deliveries?${query}`)?.filter).toEqual(filter);
  });
});
