import { ipv6Groups } from './ip-groups.ts';

/** Four decimal numbers without leading zeros, which some programs read as octal. */
const ipv4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

const inBits = (numbers: readonly number[], width: number): string =>
  numbers.map((each) => each.toString(2).padStart(width, '0')).join('');

/** The bits of an address, 32 or 128; `undefined` for any other text. */
const bitsOf = (address: string): string | undefined => {
  if (ipv4.test(address)) return inBits(address.split('.').map(Number), 8);
  if (!/^[\da-f:.]{2,45}$/i.test(address) || !URL.canParse(`http://[${address}]`)) return undefined;
  return inBits(
    ipv6Groups(address).map((group) => Number.parseInt(group, 16)),
    16,
  );
};

/** IPv6 networks whose addresses stand for IPv4: mapped (RFC 4291 §2.5.5.2) and NAT64 (RFC 6052 §2.1). */
const translators = ['::ffff:0:0', '64:ff9b::'].map((address) => (bitsOf(address) as string).slice(0, 96));

/** A network in CIDR notation. */
interface Network {
  /** The bits that all of its addresses begin with. */
  readonly prefix: string;
  /** How many bits its addresses have: 32 or 128. */
  readonly length: number;
}

/** `undefined` when the text is no network, has bits beyond its prefix, or is an IPv4 network in a form of IPv6. */
const networkOf = (text: string): Network | undefined => {
  const [, address = '', length = ''] = /^([\da-f:.]{2,45})\/(0|[1-9]\d{0,2})$/i.exec(text) ?? [];
  const bits = bitsOf(address);
  const count = Number(length);
  if (bits === undefined || count > bits.length || bits.includes('1', count)) return undefined;
  const prefix = bits.slice(0, count);
  return translators.some((each) => prefix.startsWith(each)) ? undefined : { prefix, length: bits.length };
};

export const networkRule =
  'a network such as 203.0.113.0/24 or 2001:db8::/32, without bits beyond its prefix; one address is 203.0.113.7/32.';

/** Whether a text is a network in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3). */
export const isNetwork = (text: string): boolean => networkOf(text) !== undefined;

/** An address as proxies write it: without its port, its brackets and its zone. */
const withoutPort = (address: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
const withoutZone = (address: string): string => (address.includes(':') ? (address.split('%')[0] as string) : address);

/** The address of a caller: an IPv6 address that stands for an IPv4 address is that one. */
const callerBits = (address: string): string | undefined => {
  const bits = bitsOf(withoutZone(withoutPort(address)));
  return bits?.length === 128 && translators.some((each) => bits.startsWith(each)) ? bits.slice(96) : bits;
};

/** Whether an address is in one of the networks. A text that is no address is in none. */
export const isInNetworks = (address: string | undefined, networks: readonly string[]): boolean => {
  const bits = address === undefined ? undefined : callerBits(address);
  return networks.some((each) => {
    const network = networkOf(each);
    return bits !== undefined && network?.length === bits.length && bits.startsWith(network.prefix);
  });
};
