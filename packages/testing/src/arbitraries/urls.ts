import fc from 'fast-check';

const label = fc
  .string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-'), minLength: 1, maxLength: 12 })
  .filter((text) => !/^-|-$|^..--/.test(text));
/** Names that are reserved for examples (RFC 2606). */
const exampleName = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => [...labels, 'example'].join('.'));
/**
 * What a path may contain. Not `fc.webPath()`: it makes a table of all of Unicode first, for a second, in every process
 * that imports this package.
 */
const sign = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(..."abcxyzABCXYZ019-._~!$&'()*+,;=:@") },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).map(encodeURIComponent) },
);
const path = fc
  .array(fc.string({ unit: sign, maxLength: 6 }), { maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`);
const query = fc.string({ unit: fc.oneof(sign, fc.constantFrom('/', '?', '&', '=')), maxLength: 10 });
const rest = fc
  .tuple(fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }), path, fc.option(query, { nil: undefined }))
  .map(
    ([port, after, asked]) =>
      `${port === undefined ? '' : `:${port}`}${after}${asked === undefined ? '' : `?${asked}`}`,
  );

/**
 * Valid URLs of an endpoint, as core stores them: HTTPS, with a name below `.example`, which is reserved.
 * @internal
 */
export const publicUrlArbitrary = (): fc.Arbitrary<string> =>
  fc
    .tuple(exampleName, rest)
    .map(([name, after]) => `https://${name}${after}`)
    // The URL parser rejects some of the generated ports and paths.
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text).href);

/** Each turns a valid URL into a refused one. */
const invalidate: readonly ((url: URL) => string)[] = [
  (url) => `http${url.href.slice('https'.length)}`,
  (url) => `ftp${url.href.slice('https'.length)}`,
  (url) => url.href.replace('https://', 'https://user@'),
  (url) => url.href.replace('https://', 'https://:secret@'),
  (url) => `${url.href}#fragment`,
  (url) => `${url.href}#`,
  (url) => url.href.slice('https:'.length),
  (url) => `${url.origin}/${'x'.repeat(2_048)}`,
  // Too long only after percent-encoding.
  (url) => `${url.origin}/${'é'.repeat(700)}`,
  () => 'https://',
];

/**
 * Texts that core refuses as the URL of an endpoint: another scheme, credentials, a fragment, too long, or not a URL.
 * @example
 * const { kit } = await scriptedHost();
 * const property = fc.asyncProperty(refusedUrlArbitrary(), async (url) => {
 *   const created = await kit.endpoints.create('acc_own', { url, events: ['payed'] });
 *   return created.isErr();
 * });
 * await fc.assert(property);
 * @public
 */
export const refusedUrlArbitrary = (): fc.Arbitrary<string> =>
  fc.tuple(publicUrlArbitrary(), fc.constantFrom(...invalidate)).map(([url, spoil]) => spoil(new URL(url)));
