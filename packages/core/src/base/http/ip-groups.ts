const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));

/** The last two groups of an IPv6 address are often written as an IPv4 address: `::ffff:203.0.113.7`. */
const withoutDots = (address: string): string =>
  address.replace(/:(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });

/** The eight groups of an IPv6 address, without leading zeros. Of another text, any groups. */
export const ipv6Groups = (address: string): readonly string[] => {
  const [head = '', tail] = withoutDots(address.toLowerCase()).split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].map((group) =>
    group.replace(/^0+(?=.)/, '').slice(0, 15),
  );
};
