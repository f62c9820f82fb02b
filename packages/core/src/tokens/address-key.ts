const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));

/** The eight groups of an IPv6 address, without leading zeros. */
const expand = (address: string): readonly string[] => {
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].map((group) =>
    group.replace(/^0+(?=.)/, '').slice(0, 15),
  );
};

/** The IPv4 address of an IPv4-mapped address: `ffff:cb00:7107` is 203.0.113.7. */
const mapped = (groups: readonly string[]): string | undefined => {
  const [marker, high = '', low = ''] = groups.slice(5);
  if (groups.length !== 8 || marker !== 'ffff' || groups.slice(0, 5).some((group) => group !== '0')) return undefined;
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
};

/**
 * The key of an address in limits: an IPv4 address, or the /64 of an IPv6 address, because one subscriber has a whole
 * /64. An IPv4-mapped address (`::ffff:192.0.2.1`) counts as IPv4. A port, which some proxies add, is removed.
 * @internal
 */
export const addressKey = (address: string | undefined): string => {
  if (address === undefined) return 'unknown';
  const plainAddress = (/^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address).split('%')[0] as string;
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(plainAddress)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!plainAddress.includes(':')) return plainAddress.slice(0, 64);
  const groups = expand(plainAddress);
  return mapped(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
};
