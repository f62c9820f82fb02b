import { ipv6Groups } from '../../base/http/ip-groups.ts';

/** Two groups as an IPv4 address: `cb00`, `7107` is 203.0.113.7. */
const ipv4Of = (groups: readonly string[], invertedBy = 0): string =>
  groups
    .map((group) => Number.parseInt(group, 16) ^ invertedBy)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');

/** Prefixes of translators to IPv4: mapped and SIIT (RFC 4291 §2.5.5.2, RFC 2765 §2.1), NAT64 (RFC 6052 §2.1). */
const translators = ['0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0'];

/** The IPv4 address of the caller behind a translator or a tunnel. */
const carried = (groups: readonly string[]): string | undefined => {
  if (groups.length !== 8 || !groups.every((group) => /^[\da-f]{1,4}$/.test(group))) return undefined;
  if (translators.includes(groups.slice(0, 6).join(':'))) return ipv4Of(groups.slice(6));
  // 6to4 (RFC 3056 §2): one subscriber has 65,536 networks.
  if (groups[0] === '2002') return ipv4Of(groups.slice(1, 3));
  // Teredo (RFC 4380 §4): all clients of a server share a /64.
  if (groups[0] === '2001' && groups[1] === '0') return ipv4Of(groups.slice(6), 0xffff);
  return undefined;
};

/**
 * The key of an address in limits: an IPv4 address, or the /64 of an IPv6 address, because one subscriber has a whole
 * /64. An address that a translator or a tunnel made of an IPv4 address (`::ffff:192.0.2.1`, `64:ff9b::c000:201`)
 * counts as that. In 64:ff9b:1::/48 (RFC 8215) each address is a key. A port, which some proxies add, is removed.
 */
export const addressKey = (address: string | undefined): string => {
  if (address === undefined) return 'unknown';
  const plainAddress = (/^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address).split('%')[0] as string;
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(plainAddress)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!plainAddress.includes(':')) return plainAddress.slice(0, 64);
  const groups = ipv6Groups(plainAddress);
  const network = groups.slice(0, 4).join(':');
  if (groups.length === 8 && network.startsWith('64:ff9b:1:')) return groups.join(':').slice(0, 64);
  return carried(groups) ?? `${network}::/64`;
};
