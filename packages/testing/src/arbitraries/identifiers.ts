import type { EpochMs } from '@partnerkit/core';
import fc from 'fast-check';

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789_-');
/** Mostly plain letters; sometimes what trips an encoding, a comparison or a length. */
const sign = fc.oneof(
  { withCrossShrink: true },
  { weight: 9, arbitrary: letter },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
);
const fits = (text: string): boolean => Buffer.byteLength(text) <= 256;

/**
 * Texts that core takes for an identifier or a name: 1 to 256 bytes of well-formed text without control characters. The
 * longest are among them, in one byte a sign and in two.
 * @example
 * fc.assert(fc.property(identifierArbitrary(), (name) => Buffer.byteLength(name) <= 256));
 * @public
 */
export const identifierArbitrary = (): fc.Arbitrary<string> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 30, arbitrary: fc.string({ unit: sign, minLength: 1, maxLength: 24 }).filter(fits) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(256), 'é'.repeat(128)) },
  );

/**
 * Ids like those that core makes: UUIDv7.
 * @internal
 */
export const idArbitrary = (): fc.Arbitrary<string> => fc.uuid({ version: 7 });

/** From 2020 on, before 2035. @internal */
export const moment = (): fc.Arbitrary<EpochMs> => fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) - 1 });
