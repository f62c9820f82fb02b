import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressKey } from '../../src/tokens/address-key.ts';
import { runs } from '../support/runs.ts';

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

const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });

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
