import type { EndpointInput } from '@partnerkit/core';
import fc from 'fast-check';

const nameSign = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-!#$%&'*+.^_`|~");
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));

const reserved = [
  'Host',
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'Transfer-Encoding',
  'Connection',
  'X-WEBHOOK-SIGNATURE',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'Expect',
  'Keep-Alive',
  'TE',
  'Trailer',
  'Upgrade',
  'Proxy-Authorization',
];
const isReserved = (written: string): boolean => {
  const name = written.toLowerCase().replaceAll('_', '-');
  return reserved.some((each) => each.toLowerCase() === name) || /^(content|webhook|proxy)-/.test(name);
};

/**
 * Names that a partner may give the API-key header of an endpoint, common ones and odd ones.
 * @example
 * fc.assert(fc.property(headerNameArbitrary(), (name) => new Headers([[name, 'x']]).has(name)));
 * @public
 */
export const headerNameArbitrary = (): fc.Arbitrary<string> =>
  fc
    .oneof(
      { withCrossShrink: true },
      fc.constantFrom('X-API-Key', 'Authorization', 'x-token'),
      // Nearly reserved.
      fc.constantFrom(...reserved).map((name) => `X-${name}`),
      fc.constantFrom(...reserved).map((name) => name.slice(0, -1)),
      fc.string({ unit: nameSign, minLength: 1, maxLength: 64 }),
    )
    .filter((name) => !isReserved(name));

/**
 * Names that HTTP, the payload or the signature need for themselves, in any case and with `_` for `-`: no API-key header may have them.
 * @example
 * fc.assert(fc.property(reservedHeaderNameArbitrary(), (name) => name.toLowerCase() !== 'x-api-key'));
 * @public
 */
export const reservedHeaderNameArbitrary = (): fc.Arbitrary<string> =>
  fc.mixedCase(fc.constantFrom(...reserved, ...reserved.map((name) => name.replaceAll('-', '_'))));

/**
 * API-key headers of endpoints, in clear: a free name, and 1 to 1024 visible ASCII characters with blanks inside only.
 * @example
 * fc.assert(fc.property(apiKeyArbitrary(), ({ value }) => value === value.trim()));
 * @public
 */
export const apiKeyArbitrary = (): fc.Arbitrary<NonNullable<EndpointInput['apiKey']>> => {
  const inner = fc.oneof({ weight: 9, arbitrary: visible }, { weight: 1, arbitrary: fc.constant(' ') });
  const value = fc.oneof(
    { withCrossShrink: true },
    { weight: 5, arbitrary: fc.string({ unit: visible, minLength: 1, maxLength: 40 }) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(visible, fc.string({ unit: inner, maxLength: 40 }), visible)
        .map(([first, middle, last]) => first + middle + last),
    },
    { weight: 1, arbitrary: fc.constant('~'.repeat(1_024)) },
  );
  return fc.record({ header: headerNameArbitrary(), value }, { noNullPrototype: true });
};
