import fc from 'fast-check';

const nameSign = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-!#$%&'*+.^_`|~");

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
 * Allowed names of the API-key header of an endpoint, common and unusual ones.
 * @internal
 */
export const headerNameArbitrary = (): fc.Arbitrary<string> =>
  fc
    .oneof(
      { withCrossShrink: true },
      fc.constantFrom('X-API-Key', 'Authorization', 'x-token'),
      // Almost reserved names.
      fc.constantFrom(...reserved).map((name) => `X-${name}`),
      fc.constantFrom(...reserved).map((name) => name.slice(0, -1)),
      fc.string({ unit: nameSign, minLength: 1, maxLength: 64 }),
    )
    .filter((name) => !isReserved(name));

/**
 * Names that no API-key header may have, because HTTP, the payload or the signature uses them: in any case, with `-` or
 * `_`.
 * @example
 * fc.assert(fc.property(reservedHeaderNameArbitrary(), (name) => name.toLowerCase() !== 'x-api-key'));
 * @public
 */
export const reservedHeaderNameArbitrary = (): fc.Arbitrary<string> =>
  fc.mixedCase(fc.constantFrom(...reserved, ...reserved.map((name) => name.replaceAll('-', '_'))));
