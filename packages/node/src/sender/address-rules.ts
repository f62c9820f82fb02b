import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { loopbackRanges } from './loopback.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Metadata services return the credentials of the machine to every caller. Some are in public or easily allowed ranges.
 */
const metadataServices = [
  '169.254.169.254', // AWS, Azure, Google Cloud and most others
  'fd00:ec2::254', // AWS
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  'fd00:ec2::23', // AWS EKS
  'fd20:ce::254', // Google Cloud
  '168.63.129.16', // Azure
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
  '169.254.0.23', // Tencent Cloud
  '169.254.42.42', // Scaleway
  'fd00:42::42', // Scaleway
];

const hexOf = (address: Address): string => Buffer.from(address.toByteArray()).toString('hex');
const metadata = metadataServices.map((address) => hexOf(ipaddr.parse(address)));

/** Byte offsets of an IPv4 address after RFC 6052 prefixes of 32 to 64 bits, not counting the reserved byte 8. */
const translatedOffsets = [4, 5, 6, 7, 8];

/**
 * The IPv4 addresses that an IPv6 address may embed, as hex: in its last 32 bits (mapped, compatible, NAT64, SIIT,
 * ISATAP), after the prefix of 6to4, in the forms of RFC 6052 §2.2, and the inverted client of Teredo (RFC 4380 §4).
 */
const embeddedIn = (hex: string): readonly string[] => {
  const withoutReserved = hex.slice(0, 16) + hex.slice(18);
  return [
    hex.slice(-8),
    ...(hex.startsWith('2002') ? [hex.slice(4, 12)] : []),
    ...translatedOffsets.map((offset) => withoutReserved.slice(2 * offset, 2 * offset + 8)),
    ...(hex.startsWith('20010000')
      ? [(0xffffffff - Number.parseInt(hex.slice(-8), 16)).toString(16).padStart(8, '0')]
      : []),
  ];
};

const ipv4Of = (hex: string): ipaddr.IPv4 => new ipaddr.IPv4([...Buffer.from(hex, 'hex')]);

/** A prefix of NAT64 (RFC 6052 §2.2). */
type Prefix = readonly [address: ipaddr.IPv6, bits: number];

/** The well-known prefix (RFC 6052 §2.1). */
const wellKnownPrefix: Prefix = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/** The IPv4 address behind a prefix of NAT64; the reserved byte 8 interrupts it (RFC 6052 §2.2). */
const translated = (address: ipaddr.IPv6, bits: number): ipaddr.IPv4 => {
  const hex = hexOf(address);
  return ipv4Of(bits === 96 ? hex.slice(-8) : (hex.slice(0, 16) + hex.slice(18)).slice(bits / 4, bits / 4 + 8));
};

const isMetadata = (address: Address): boolean => {
  const hex = hexOf(address);
  const forms = address.kind() === 'ipv4' ? [hex] : [hex, ...embeddedIn(hex)];
  return forms.some((form) => metadata.includes(form));
};

/** An ISATAP interface identifier (RFC 5214 §6.1) routes to its embedded IPv4 address, under any prefix. */
const isIsatap = (address: Address): boolean => /^.{16}0[0-3]005efe/.test(hexOf(address));

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const compatible = ipaddr.IPv6.parseCIDR('::/96');
const isIPv4 = (address: Address): address is ipaddr.IPv4 => address.kind() === 'ipv4';

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (isIPv4(address) || (address.match(globalUnicast) && !isIsatap(address)));

/** Zeros of an IPv6 address are no IPv4 address: 0.0.0.0/8 is never a destination. */
const isZeros = (address: ipaddr.IPv4): boolean => address.octets[0] === 0;

/** Lengths of prefixes within 64:ff9b:1::/48 (RFC 8215 §3); the length in use is not known. */
const localLengths = [48, 56, 64, 96];

/**
 * The IPv4 addresses that a tunnel or a translator reaches by an IPv6 address: all forms that do not belong to public
 * unicast. `undefined`: the address is meant for a translator, and has no IPv4 address in any form.
 */
const carriedBy = (address: ipaddr.IPv6): readonly ipaddr.IPv4[] | undefined => {
  const hex = hexOf(address);
  const last = ipv4Of(hex.slice(-8));
  if (isIsatap(address)) return [last];
  switch (address.range()) {
    case '6to4': // RFC 3056 §2
      return [ipv4Of(hex.slice(4, 12))];
    case 'teredo': // RFC 4380 §4: the server, and the client with each bit inverted
      return [ipv4Of(hex.slice(8, 16)), new ipaddr.IPv4(last.octets.map((octet) => 255 - octet))];
    case 'rfc6145': // SIIT (RFC 2765 §2.1)
      return [last];
    case 'rfc6052': {
      const forms = localLengths.map((bits) => translated(address, bits)).filter((form) => !isZeros(form));
      return forms.length === 0 ? undefined : forms;
    }
    default: // IPv4-compatible (RFC 4291 §2.5.5.1)
      return address.match(compatible) && !isZeros(last) ? [last] : [];
  }
};

/**
 * Parses an address. IPv6 is normalized by URL, because the parser takes `::8.8.8.8`, which is not public, for 8.8.8.8.
 */
const parse = (text: string): Address =>
  isIP(text) === 4 ? ipaddr.IPv4.parse(text) : ipaddr.process(new URL(`https://[${text}]`).hostname.slice(1, -1));

/** Stricter than the parser, which takes `10/8` for 0.0.0.10/8. */
const rangeOf = (entry: string): [Address, number] => {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return ipaddr.IPv4.parseCIDR(entry);
  if (!ipaddr.IPv6.isValidCIDR(entry))
    throw new TypeError(`allow: "${entry}" is no CIDR range, as 10.0.0.0/8 is one; nor is it localhost.`);
  const range = ipaddr.IPv6.parseCIDR(entry);
  if (range[0].isIPv4MappedAddress()) throw new TypeError(`allow: "${entry}" must be written as an IPv4 range.`);
  return range;
};

const prefixOf = (entry: string): Prefix => {
  const [address, bits] = ipaddr.IPv6.isValidCIDR(entry) ? ipaddr.IPv6.parseCIDR(entry) : [undefined, 0];
  if (!address || ![32, 40, 48, 56, 64, 96].includes(bits))
    throw new TypeError(
      `nat64: "${entry}" is no prefix of NAT64: write an IPv6 range of 32, 40, 48, 56, 64 or 96 bits, ` +
        'as 64:ff9b:1::/96 is one.',
    );
  return [address, bits];
};

/** Whether a socket can connect to `address`. */
export type AddressRule = (address: string) => boolean;

/**
 * Allows public unicast addresses and those in the ranges of `allow`, where `localhost` stands for loopback. An address
 * behind a prefix of NAT64 is judged as its IPv4 address: one in 64:ff9b::/96 or in a range of `nat64`. Any other
 * address that carries an IPv4 address needs `allow` for both. Metadata services are always refused.
 * @throws TypeError that names an entry of `allow` that is not a CIDR range, or one of `nat64` that is not a prefix.
 */
export const addressRule = (allow: readonly string[] = [], nat64: readonly string[] = []): AddressRule => {
  const ranges = allow.flatMap((entry) => (entry === 'localhost' ? loopbackRanges : entry)).map(rangeOf);
  const prefixes = [...nat64.map(prefixOf), wellKnownPrefix].sort(([, a], [, b]) => b - a);

  const isAllowed = (address: Address): boolean => {
    if (isMetadata(address)) return false;
    const prefix = isIPv4(address) ? undefined : prefixes.find((each) => address.match(...each));
    if (prefix) return isAllowed(translated(address as ipaddr.IPv6, prefix[1]));
    if (isPublic(address)) return true;
    if (!ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))) return false;
    return isIPv4(address) || (carriedBy(address)?.every(isAllowed) ?? false);
  };

  // A name never resolves to an address with a zone (`fe80::1%eth0`).
  return (text) => isIP(text) !== 0 && !text.includes('%') && isAllowed(parse(text));
};
