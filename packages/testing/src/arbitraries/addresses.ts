import fc from 'fast-check';

/** The leading hex digits of an address, and how many bits of it are fixed. */
type Range = readonly [digits: string, prefix: number];

interface Family {
  readonly bits: number;
  /** IANA special-purpose registries. */
  readonly special: readonly Range[];
  readonly text: (hex: string) => string;
}

const ipv4: Family = {
  bits: 32,
  special: [
    ['0a', 8], // private
    ['7f', 8], // loopback
    ['a9fe', 16], // link-local
    ['a9fea9fe', 32], // metadata of clouds
    ['a83f8110', 32], // metadata of a cloud, in a public range
    ['ac10', 12], // private
    ['c0a8', 16], // private
    ['6440', 10], // carrier-grade NAT
    ['00', 8], // this network
    ['c00000', 24], // protocol assignments
    ['c00002', 24], // documentation
    ['c63364', 24], // documentation
    ['cb0071', 24], // documentation
    ['c05863', 24], // 6to4 relays
    ['c612', 15], // benchmarks
    ['e', 4], // multicast
    ['f', 4], // reserved, and broadcast
  ],
  text: (hex) => (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join('.'),
};

const ipv6: Family = {
  bits: 128,
  special: [
    ['', 96], // loopback, unspecified, and IPv4-compatible
    ['0064ff9b', 96], // NAT64
    ['01', 64], // discard only
    ['2001', 23], // Teredo, ORCHID, benchmarks
    ['20010db8', 32], // documentation
    ['2002', 16], // 6to4
    ['3fff', 20], // documentation
    ['5f', 16], // segment routing
    ['fc', 7], // unique local
    ['fe8', 10], // link-local
    ['fec', 10], // site-local
    ['ff', 8], // multicast
  ],
  text: (hex) => (hex.match(/..../g) ?? []).map((group) => group.replace(/^0+(?=.)/, '')).join(':'),
};

const first = ({ bits }: Family, digits: string): bigint => BigInt(`0x${digits.padEnd(bits / 4, '0')}`);

const anyOf = (family: Family, ranges: readonly Range[]): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.constantFrom(...ranges), fc.bigInt(0n, 2n ** BigInt(family.bits) - 1n))
    .map(([[digits, prefix], rest]) => first(family, digits) | (rest >> BigInt(prefix)));

const written = (family: Family, address: bigint): string =>
  family.text(address.toString(16).padStart(family.bits / 4, '0'));

const specialOf = (family: Family): fc.Arbitrary<string> =>
  anyOf(family, family.special).map((address) => written(family, address));

/** IPv4 addresses that are not public. @internal */
export const nonPublicIpv4 = (): fc.Arbitrary<string> => specialOf(ipv4);

/**
 * Addresses that no sender may connect to: loopback, private, link-local, metadata of clouds, multicast, documentation and
 * the others of IANA's special-purpose registries; IPv4 inside IPv6 as well.
 * @internal
 */
export const nonPublicAddressArbitrary = (): fc.Arbitrary<string> =>
  fc.oneof(
    nonPublicIpv4(),
    specialOf(ipv6),
    nonPublicIpv4().map((address) => `::ffff:${address}`),
  );
