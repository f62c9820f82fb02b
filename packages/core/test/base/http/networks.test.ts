import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInNetworks, isNetwork } from '../../../src/base/http/networks.ts';
import { runs } from '../../support/runs.ts';

test.each([
  ['203.0.113.0/24', true],
  ['203.0.113.7/32', true],
  ['0.0.0.0/0', true],
  ['128.0.0.0/1', true],
  ['2001:db8::/32', true],
  ['2001:DB8::/32', true],
  ['2001:0db8:0000::/48', true],
  ['::/0', true],
  ['::1/128', true],
  ['fe80::/10', true],
  ['203.0.113.7', false],
  ['203.0.113.7/24', false],
  ['203.0.113.0/33', false],
  ['203.0.113.0/024', false],
  ['203.0.113.0/', false],
  ['203.0.113.0/-1', false],
  ['203.0.113.0/24 ', false],
  [' 203.0.113.0/24', false],
  ['203.0.113/24', false],
  ['203.0.113.0.0/24', false],
  ['10/8', false],
  ['010.0.0.0/8', false],
  ['0x0a.0.0.0/8', false],
  ['256.0.0.0/8', false],
  ['2001:db8::1/32', false],
  ['2001:db8::/129', false],
  ['2001:db8/32', false],
  ['2001::db8::/64', false],
  ['fe80::%eth0/10', false],
  ['[2001:db8::]/32', false],
  ['::ffff:203.0.113.0/120', false],
  ['::ffff:0:0/96', false],
  ['64:ff9b::/96', false],
  ['64:ff9b::203.0.113.0/120', false],
  ['localhost/8', false],
  ['*', false],
  ['/', false],
  ['', false],
])('"%s" is a network: %s', (text, isOne) => {
  expect(isNetwork(text)).toBe(isOne);
});

describe('an address', () => {
  test.each<[address: string | undefined, networks: readonly string[], isIn: boolean]>([
    ['203.0.113.7', ['203.0.113.0/24'], true],
    ['203.0.113.7', ['198.51.100.0/24', '203.0.113.7/32'], true],
    ['203.0.114.7', ['203.0.113.0/24'], false],
    ['203.0.113.7', ['0.0.0.0/0'], true],
    ['203.0.113.7', ['::/0'], false],
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:0DB8:0:0:0:0:0:1', ['2001:db8::1/128'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
    ['::FFFF:cb00:7107', ['203.0.113.0/24'], true],
    ['0:0:0:0:0:ffff:203.0.113.7', ['203.0.113.0/24'], true],
    ['::ffff:203.0.113.7', ['::/0'], false],
    ['64:ff9b::203.0.113.7', ['203.0.113.0/24'], true],
    ['64:ff9b::cb00:7107', ['203.0.113.0/24'], true],
    ['64:ff9b:1::cb00:7107', ['203.0.113.0/24'], false],
    ['::203.0.113.7', ['203.0.113.0/24'], false],
    ['2002:cb00:7107::1', ['203.0.113.0/24'], false],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['203.0.113.7:443', ['203.0.113.0/24'], true],
    ['[2001:db8::1]:443', ['2001:db8::/32'], true],
    ['[::ffff:203.0.113.7]', ['203.0.113.0/24'], true],
    ['203.0.113.7%eth0', ['203.0.113.0/24'], false],
    ['203.0.113.7, 198.51.100.1', ['203.0.113.0/24'], false],
    ['198.51.100.1, 203.0.113.7', ['203.0.113.0/24'], false],
    ['203.0.113.07', ['203.0.113.0/24'], false],
    ['3405803783', ['203.0.113.0/24', '0.0.0.0/0'], false],
    ['0xcb007107', ['0.0.0.0/0'], false],
    ['for=203.0.113.7', ['203.0.113.0/24'], false],
    ['localhost', ['0.0.0.0/0', '::/0'], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
    ['', ['0.0.0.0/0', '::/0'], false],
    [undefined, ['0.0.0.0/0', '::/0'], false],
    ['203.0.113.7', [], false],
    ['203.0.113.7', ['203.0.113.0'], false],
  ])('"%s" is in %j: %s', (address, networks, isIn) => {
    expect(isInNetworks(address, networks)).toBe(isIn);
  });

  const ipv4 = fc.ipV4();
  const ipv6 = fc.ipV6();
  /** The address with the bits after the prefix at zero, by the words of Node.js. */
  const networkOf = (address: string, length: number): string => {
    const isOld = isIP(address) === 4;
    const total = isOld ? 32n : 128n;
    const value = isOld
      ? address.split('.').reduce((sum, each) => sum * 256n + BigInt(each), 0n)
      : BigInt(`0x${groups(address)}`);
    const kept = (value >> (total - BigInt(length))) << (total - BigInt(length));
    const hex = kept.toString(16).padStart(isOld ? 8 : 32, '0');
    return isOld
      ? (hex.match(/../g) ?? []).map((each) => Number.parseInt(each, 16)).join('.')
      : (hex.match(/.{4}/g) ?? []).join(':');
  };
  const groups = (address: string): string => {
    const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
    const of = (text: string) => (text === '' ? [] : text.split(':'));
    const [left, right] = [of(head), of(tail ?? '')];
    const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0');
    return [...left, ...zeros, ...right].map((each) => each.padStart(4, '0')).join('');
  };
  const isTranslated = (address: string): boolean =>
    /^(?:0{20}ffff|0064ff9b0{16})/.test(isIP(address) === 6 ? groups(address) : '');

  test('is in the networks in which Node.js finds it', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), fc.oneof(ipv4, ipv6), fc.nat(128), fc.boolean(), (one, other, bits, near) => {
        const base = near ? one : other;
        fc.pre(!isTranslated(one) && !isTranslated(base));
        const length = isIP(base) === 4 ? bits % 33 : bits;
        const network = networkOf(base, length);
        const family = isIP(base) === 4 ? 'ipv4' : 'ipv6';
        const list = new BlockList();
        list.addSubnet(network, length, family);
        const isIn = family === `ipv${isIP(one)}` && list.check(one, family);
        expect(isInNetworks(one, [`${network}/${length}`])).toBe(isIn);
      }),
      runs,
    );
  });

  test('of any text is in no network, unless it is an address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(isIP(text.replace(/^\[|\](:\d+)?$|%.*$|:\d+$/g, '')) === 0 && isIP(text) === 0);
        expect(isInNetworks(text, ['0.0.0.0/0', '::/0'])).toBe(false);
      }),
      runs,
    );
  });
});
