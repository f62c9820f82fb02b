import type { EpochMs } from '@partnerkit/core';
import fc from 'fast-check';

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789_-');
/** Mostly plain letters; sometimes a character that breaks encodings, comparisons or length limits. */
const sign = fc.oneof(
  { withCrossShrink: true },
  { weight: 9, arbitrary: letter },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
);
const fits = (text: string): boolean => Buffer.byteLength(text) <= 256;

/**
 * Valid identifiers and names: 1 to 256 bytes of well-formed text without control characters. The longest texts occur,
 * with one and with two bytes per character.
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

/** Ids as core generates them: UUIDv7. */
export const idArbitrary = (): fc.Arbitrary<string> => fc.uuid({ version: 7 });

/** Times from 2020 to 2034. */
export const moment = (): fc.Arbitrary<EpochMs> => fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) - 1 });
