import fc from 'fast-check';
import { nonPublicAddressArbitrary, nonPublicIpv4 } from './addresses.ts';

const label = fc
  .string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-'), minLength: 1, maxLength: 12 })
  .filter((text) => !/^-|-$|^..--/.test(text));
/** Names that are reserved for examples (RFC 2606): nobody has them. */
const exampleName = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => [...labels, 'example'].join('.'));
const rest = fc
  .tuple(
    fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
    fc.webPath({ size: 'xsmall' }),
    fc.option(fc.webQueryParameters({ size: 'xsmall' }), { nil: undefined }),
  )
  .map(
    ([port, path, query]) =>
      `${port === undefined ? '' : `:${port}`}${path === '' ? '/' : path}${query === undefined ? '' : `?${query}`}`,
  );

const urlOf = (host: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(host, rest)
    .map(([name, after]) => `https://${name}${after}`)
    // Not every port and path that is generated is one to a URL parser.
    .filter((text) => URL.canParse(text));
const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/**
 * URLs that an endpoint may have, as core stores them: HTTPS, with a name below `.example`, which nobody has.
 * @internal
 */
export const publicUrlArbitrary = (): fc.Arbitrary<string> => urlOf(exampleName).map((text) => new URL(text).href);

const numberOf = (address: string): number =>
  address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0);
/** What a URL parser takes for an IPv4 address. */
const spellings: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => String(numberOf(address)),
  (address) => `0x${numberOf(address).toString(16)}`,
  (address) =>
    address
      .split('.')
      .map((byte) => `0${Number(byte).toString(8)}`)
      .join('.'),
];

/**
 * HTTPS URLs that point to no public address, in every spelling that a URL parser takes. An endpoint may have one; a sender
 * must refuse it, as `forbidden_address`.
 * @example
 * fc.assert(fc.property(nonPublicUrlArbitrary(), (url) => new URL(url).protocol === 'https:'));
 * @public
 */
export const nonPublicUrlArbitrary = (): fc.Arbitrary<string> => {
  const spelled = fc.tuple(nonPublicIpv4(), fc.constantFrom(...spellings)).map(([address, spell]) => spell(address));
  return urlOf(fc.oneof(spelled, nonPublicAddressArbitrary().map(hostOf)));
};

/** Each makes of a good URL one that is refused. */
const spoilt: readonly ((url: URL) => string)[] = [
  (url) => `http${url.href.slice('https'.length)}`,
  (url) => `ftp${url.href.slice('https'.length)}`,
  (url) => url.href.replace('https://', 'https://user@'),
  (url) => url.href.replace('https://', 'https://:secret@'),
  (url) => `${url.href}#fragment`,
  (url) => `${url.href}#`,
  (url) => url.href.slice('https:'.length),
  (url) => `${url.origin}/${'x'.repeat(2_048)}`,
  // Too long only once it is percent-encoded.
  (url) => `${url.origin}/${'é'.repeat(700)}`,
  () => 'https://',
];

/**
 * Texts that no endpoint may have for a URL: another scheme, credentials, a fragment, too long, or no URL at all.
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
  fc.tuple(publicUrlArbitrary(), fc.constantFrom(...spoilt)).map(([url, spoil]) => spoil(new URL(url)));
