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

/** `ffff:cb00:7107` is 203.0.113.7. */
const mapped = (groups: readonly string[]): string | undefined => {
  const [marker, high = '', low = ''] = groups.slice(5);
  if (groups.length !== 8 || marker !== 'ffff' || groups.slice(0, 5).some((group) => group !== '0')) return undefined;
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
};

/**
 * The network that an address stands for in limits: an IPv4 address, or the /64 of an IPv6 one, since a single subscriber
 * has a whole /64 to come from. IPv4 inside IPv6 (`::ffff:192.0.2.1`) is IPv4. A port, as some proxies add one, is left out.
 * @internal
 */
export const addressKey = (address: string | undefined): string => {
  if (address === undefined) return 'unknown';
  const bare = (/^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address).split('%')[0] as string;
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(bare)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!bare.includes(':')) return bare.slice(0, 64);
  const groups = expand(bare);
  return mapped(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
};
