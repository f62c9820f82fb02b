import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nonPublicAddressArbitrary } from '../../src/arbitraries/addresses.ts';
import { nonPublicUrlArbitrary, publicUrlArbitrary } from '../../src/arbitraries/urls.ts';
import { many, runs } from './support.ts';

/** The special-purpose registries of IANA, as Node.js takes ranges; it knows IPv4 inside `::ffff:` by itself. */
const special = new BlockList();
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32',
].flatMap((line) => line.split(' '))) {
  const [net, bits] = range.split('/') as [string, string];
  special.addSubnet(net, Number(bits), 'ipv4');
}
for (const range of '::/96 64:ff9b::/96 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8'.split(
  ' ',
)) {
  const [net, bits] = range.split('/') as [string, string];
  special.addSubnet(net, Number(bits), 'ipv6');
}
const isSpecial = (address: string): boolean => special.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

test('non-public addresses are in a special-purpose range', () => {
  fc.assert(
    fc.property(nonPublicAddressArbitrary(), (address) => isIP(address) > 0 && isSpecial(address)),
    runs,
  );
});

test('both families are there, and IPv4 inside IPv6', () => {
  const addresses = many(nonPublicAddressArbitrary());
  expect(new Set(addresses.map(isIP))).toEqual(new Set([4, 6]));
  expect(addresses.some((address) => address.startsWith('::ffff:'))).toBe(true);
  const beginnings = ['10.', '127.', '169.254.169.254', '172.', '192.168.', '100.', '0.', '224.', '255.'];
  const groups = ['0:', '64:ff9b:', '100:', '2001:', '2002:', '3fff:', '5f00:', 'f[cd]', 'fe[89ab]', 'fe[c-f]', 'ff'];
  for (const beginning of [...beginnings.map((text) => text.replaceAll('.', '\\.')), ...groups])
    expect(
      addresses.some((address) => new RegExp(`^${beginning}`).test(address)),
      beginning,
    ).toBe(true);
});

test('a non-public URL points to such an address, however it is spelled', () => {
  const spellings = new Set<string>();
  const property = fc.property(nonPublicUrlArbitrary(), (text) => {
    const { protocol, hostname } = new URL(text);
    expect(protocol).toBe('https:');
    expect(isSpecial(hostname.replace(/^\[|\]$/g, ''))).toBe(true);
    const host = /^https:\/\/(\[?[^/:\]]*)/.exec(text)?.[1] ?? '';
    spellings.add(
      host
        .replace(/[1-9a-f]/g, '1')
        .replace(/0x1[01]*/, '0x1')
        .replace(/^[01]+$/, '1')
        .slice(0, 3),
    );
  });
  fc.assert(property, runs);
  for (const spelling of ['0x1', '1']) expect(spellings).toContain(spelling);
});

test('a public URL is written as core stores it, and is nobody’s', () => {
  const property = fc.property(publicUrlArbitrary(), (text) => {
    const url = new URL(text);
    expect(url.href).toBe(text);
    expect([url.protocol, url.username, url.hash]).toEqual(['https:', '', '']);
    expect(url.hostname).toMatch(/\.example$/);
    expect(text.length).toBeLessThanOrEqual(2_048);
  });
  fc.assert(property, runs);
  const urls = many(publicUrlArbitrary()).map((text) => new URL(text));
  for (const part of ['port', 'search'] as const)
    for (const has of [true, false]) expect(urls.some((url) => (url[part] !== '') === has)).toBe(true);
});
