import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressKey } from '../../../src/access/tokens/address-key.ts';
import { runs } from '../../support/runs.ts';

test.each([
  [undefined, 'unknown'],
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::1%lan:1', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

/** The groups of an address of a subscriber: not 2002::/16, and no group that marks an IPv4 address. */
const groups = fc
  .tuple(
    fc.integer({ min: 0x2400, max: 0x2fff }),
    fc.array(fc.integer({ min: 0, max: 0xfffe }), { minLength: 7, maxLength: 7 }),
  )
  .map(([first, others]) => [first, ...others]);

test('an IPv6 address counts as its /64, in every spelling', () => {
  fc.assert(
    fc.property(
      groups,
      groups,
      fc.nat({ max: 7 }),
      fc.nat({ max: 8 }),
      fc.boolean(),
      (whole, other, from, length, upper) => {
        const plain = (numbers: readonly number[]) => numbers.map((group) => group.toString(16));
        const expected = `${plain(whole.slice(0, 4)).join(':')}::/64`;
        expect(addressKey(plain(whole).join(':'))).toBe(expected);
        // Another host of the same network.
        expect(addressKey(plain([...whole.slice(0, 4), ...other.slice(4)]).join(':'))).toBe(expected);
        // With leading zeros, in capitals, and with a run of zeros left out.
        const padded = plain(whole).map((group) => group.padStart(4, '0'));
        expect(addressKey(upper ? padded.join(':').toUpperCase() : padded.join(':'))).toBe(expected);
        const zeroed = whole.map((group, index) => (index >= from && index < from + Math.max(length, 1) ? 0 : group));
        const shortened = `${plain(zeroed.slice(0, from)).join(':')}::${plain(zeroed.slice(from + Math.max(length, 1))).join(':')}`;
        expect(addressKey(shortened)).toBe(`${plain(zeroed.slice(0, 4)).join(':')}::/64`);
      },
    ),
    runs,
  );
});

test('another network is another key', () => {
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      const text = (numbers: readonly number[]) => numbers.map((group) => group.toString(16)).join(':');
      const sameNetwork = one.slice(0, 4).every((group, index) => group === other[index]);
      expect(addressKey(text(one)) === addressKey(text(other))).toBe(sameNetwork);
    }),
    runs,
  );
});

test('no header value makes a long key', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(':', 'f', '%', '.', '0'), maxLength: 300 })),
      (text) => {
        expect(addressKey(text).length).toBeLessThanOrEqual(64);
      },
    ),
    runs,
  );
  expect(addressKey('x'.repeat(10_000)).length).toBeLessThanOrEqual(64);
});

test.each([
  ['203.0.113.7:5012', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['[2001:db8::1]:40011', '2001:db8:0:0::/64'],
  ['[2001:db8::2]', '2001:db8:0:0::/64'],
  ['203.100.113.77:5012', '203.100.113.77'],
])('as proxies write it: %s is %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

describe('callers behind a translator or a tunnel each have a key', () => {
  // The examples of RFC 6052 §2.4, RFC 3056 §2 and RFC 4380 §4, with addresses for documentation.
  test.each([
    ['NAT64', '64:ff9b::cb00:7107', '64:ff9b::cb00:7108', '203.0.113.7'],
    ['NAT64, dotted', '64:ff9b::203.0.113.7', '64:ff9b::203.0.113.8', '203.0.113.7'],
    ['NAT64, written out', '0064:FF9B:0:0:0:0:CB00:7107', '64:ff9b:0:0:0:0:cb00:7108', '203.0.113.7'],
    ['NAT64, with a port', '[64:ff9b::cb00:7107]:443', '[64:ff9b::cb00:7108]:443', '203.0.113.7'],
    ['SIIT', '::ffff:0:203.0.113.7', '::ffff:0:203.0.113.8', '203.0.113.7'],
    ['6to4', '2002:cb00:7107:1::5', '2002:cb00:7108:1::5', '203.0.113.7'],
    ['Teredo', '2001:0:c633:6401:8000:63bf:34ff:8ef8', '2001:0:c633:6401:8000:63bf:34ff:8ef7', '203.0.113.7'],
    ['NAT64 of a network, 96 bits', '64:ff9b:1::cb00:7107', '64:ff9b:1::cb00:7108', '64:ff9b:1:0:0:0:cb00:7107'],
    ['NAT64 of a network, 48 bits', '64:ff9b:1:cb00:71:700::', '64:ff9b:1:cb00:71:800::', '64:ff9b:1:cb00:71:700:0:0'],
  ])('%s', (_what, one, other, key) => {
    expect(addressKey(one)).toBe(key);
    expect(addressKey(other)).not.toBe(key);
  });

  test('one caller has one key, however it comes', () => {
    const forms = [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '64:ff9b::cb00:7107',
      '2002:cb00:7107:2::1',
      '2002:cb00:7107::',
    ];
    expect(new Set(forms.map(addressKey))).toEqual(new Set(['203.0.113.7']));
  });

  test.each([
    ['beside NAT64', '64:ff9b:2::cb00:7107', '64:ff9b:2:0::/64'],
    ['within 64:ff9b::/64, beside the prefix', '64:ff9b::1:cb00:7107', '64:ff9b:0:0::/64'],
    ['beside Teredo', '2001:1::cb00:7107', '2001:1:0:0::/64'],
    ['the last group is no number', '64:ff9b::cb00:xyz', '64:ff9b:0:0::/64'],
    ['a byte above 255', '64:ff9b::300.0.113.7', '64:ff9b:0:0::/64'],
  ])('%s: a /64', (_what, address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

test.each([
  ['five numbers', '203.0.113.7.8', '203.0.113.7.8'],
  ['letters before an IPv4 address', 'x203.0.113.7', 'x203.0.113.7'],
  ['a name', 'partner', 'partner'],
  ['an IPv6 address that ends like a mapped one', '1:0:0:0:0:ffff:cb00:7107', '1:0:0:0::/64'],
  ['nine groups that begin like a mapped one', '0:0:0:0:0:ffff:cb00:7107:1', '0:0:0:0::/64'],
  ['two groups', 'a:b', 'a:b::/64'],
  ['a group of 100 letters', `${'f'.repeat(100)}:1`, `${'f'.repeat(15)}:1::/64`],
])('what is no address is no other address: %s', (_what, address, key) => {
  expect(addressKey(address)).toBe(key);
});
