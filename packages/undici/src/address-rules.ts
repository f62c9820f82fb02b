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

const isMetadata = (address: Address): boolean => {
  const hex = hexOf(address);
  const forms = 'octets' in address ? [hex] : [hex, ...embeddedIn(hex)];
  return forms.some((form) => metadata.includes(form));
};

/** An ISATAP interface identifier (RFC 5214 §6.1) routes to its embedded IPv4 address, under any prefix. */
const isIsatap = (address: Address): boolean => /^.{16}0[0-3]005efe/.test(hexOf(address));

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && ('octets' in address || (address.match(globalUnicast) && !isIsatap(address)));

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

/**
 * Whether a socket can connect to `address`.
 * @internal
 */
export type AddressRule = (address: string) => boolean;

/**
 * Allows public unicast addresses and those in the ranges of `allow`, where `localhost` stands for loopback. Metadata
 * services are always refused.
 * @throws TypeError that names an entry that is not a CIDR range.
 * @internal
 */
export const addressRule = (allow: readonly string[] = []): AddressRule => {
  const ranges = allow.flatMap((entry) => (entry === 'localhost' ? loopbackRanges : entry)).map(rangeOf);
  return (text) => {
    // A name never resolves to an address with a zone (`fe80::1%eth0`).
    if (isIP(text) === 0 || text.includes('%')) return false;
    const address = parse(text);
    if (isMetadata(address)) return false;
    return (
      isPublic(address) || ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
    );
  };
};
