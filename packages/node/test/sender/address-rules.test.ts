import { addressAttacks, metadataAddresses, publicAddresses } from '@partnerkit/conformance/attacks';
import { describe, expect, test } from 'vitest';
import { addressRule } from '../../src/sender/address-rules.ts';

const isAllowed = addressRule();

test.each([...publicAddresses, '3ffe::1'])('%s is public', (address) => {
  expect(isAllowed(address)).toBe(true);
});

test.each(addressAttacks)('$what is refused: $address', ({ address }) => {
  expect(isAllowed(address)).toBe(false);
});

describe('allow', () => {
  test('adds just its ranges', () => {
    const rule = addressRule(['10.20.0.0/16', 'fd12::/16', '127.0.0.1/32']);
    const allowed = ['10.20.255.255', '::ffff:10.20.0.1', 'fd12::1', '127.0.0.1', '8.8.8.8'];
    const refused = ['10.21.0.0', '10.19.255.255', '::10.20.0.1', 'fd13::1', '127.0.0.2', '192.168.0.1'];
    expect(allowed.filter((address) => !rule(address))).toEqual([]);
    expect(refused.filter(rule)).toEqual([]);
  });

  const everything = addressRule(['0.0.0.0/0', '::/0', '169.254.0.0/16']);

  test('can open everything else', () => {
    const others = [
      '2a00:1450:a9fe:a9fd::',
      '2a00:1450:64:a9fe:a9:fd00::',
      '2001:0:a9fe:a9fd::1',
      '2001::5601:5602',
      'fe80::5efe:169.254.169.253',
      '169.254.169.253',
      '192.0.0.191',
      '168.63.129.15',
      'fd00:ec2::253',
      '64:ff9b::8.8.8.8',
    ];
    expect(others.filter((address) => !everything(address))).toEqual([]);
  });

  test.each(metadataAddresses)('never opens the metadata service at $address', ({ address }) => {
    expect(everything(address)).toBe(false);
  });

  test.each([
    '10.0.0.0',
    '10/8',
    '010.0.0.0/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    'fd00::',
    'fd00::/129',
    'partner.test',
    '',
  ])('names the wrong entry "%s"', (entry) => {
    expect(() => addressRule(['10.0.0.0/8', entry])).toThrow(
      new TypeError(`allow: "${entry}" is no CIDR range, as 10.0.0.0/8 is one; nor is it localhost.`),
    );
  });

  test('requires IPv4 ranges in IPv4 form, since a mapped one would never match', () => {
    expect(() => addressRule(['::ffff:10.0.0.0/104'])).toThrow(
      /"::ffff:10.0.0.0\/104" must be written as an IPv4 range/,
    );
  });
});

describe('addresses that carry an IPv4 address', () => {
  const columns = [
    [],
    ['64:ff9b::/96'],
    ['10.0.0.0/8'],
    ['64:ff9b:1::/48'],
    ['2002::/16', '2001::/32'],
    ['::/0'],
    ['0.0.0.0/0', '::/0'],
  ] as const;

  /** Allowed (`+`) or refused (`-`), for each column. */
  test.each([
    ['8.8.8.8', '+ + + + + + +', 'IPv4'],
    ['10.0.0.1', '- - + - - - +', 'IPv4'],
    ['::ffff:8.8.8.8', '+ + + + + + +', 'mapped'],
    ['::ffff:10.0.0.1', '- - + - - - +', 'mapped'],
    ['64:ff9b::808:808', '+ + + + + + +', 'NAT64 of 8.8.8.8'],
    ['64:ff9b::6812:27e4', '+ + + + + + +', 'NAT64 of 104.18.39.228'],
    ['64:ff9b::a00:1', '- - + - - - +', 'NAT64 of 10.0.0.1'],
    ['64:ff9b::7f00:1', '- - - - - - +', 'NAT64 of 127.0.0.1'],
    ['64:ff9b::c0a8:101', '- - - - - - +', 'NAT64 of 192.168.1.1'],
    ['64:ff9b::', '- - - - - - +', 'NAT64 of 0.0.0.0'],
    ['64:ff9b::a9fe:a9fe', '- - - - - - -', 'NAT64 of a metadata service'],
    ['64:ff9b:1::808:808', '- - - + - + +', 'local NAT64 of 8.8.8.8, 96 bits'],
    ['64:ff9b:1::a00:1', '- - - - - - +', 'local NAT64 of 10.0.0.1, 96 bits'],
    ['64:ff9b:1:a00:0:100::', '- - - - - - +', 'local NAT64 of 10.0.0.1, 48 bits'],
    ['64:ff9b:1:a:0:1::', '- - - - - - +', 'local NAT64 of 10.0.0.1, 56 bits'],
    ['64:ff9b:1:0:a:0:100::', '- - - - - - +', 'local NAT64 of 10.0.0.1, 64 bits'],
    ['64:ff9b:1::', '- - - - - - -', 'local NAT64 of no address'],
    ['2002:808:808::1', '- - - - + + +', '6to4 of 8.8.8.8'],
    ['2002:a00:1::1', '- - - - - - +', '6to4 of 10.0.0.1'],
    ['2001:0:808:808::f7f7:f7f7', '- - - - + + +', 'Teredo of 8.8.8.8 at a public server'],
    ['2001:0:808:808::f5ff:fffe', '- - - - - - +', 'Teredo of 10.0.0.1 at a public server'],
    ['2001:0:a00:1::f7f7:f7f7', '- - - - - - +', 'Teredo of 8.8.8.8 at the server 10.0.0.1'],
    ['::ffff:0:8.8.8.8', '- - - - - + +', 'SIIT of 8.8.8.8'],
    ['::ffff:0:10.0.0.1', '- - - - - - +', 'SIIT of 10.0.0.1'],
    ['::8.8.8.8', '- - - - - + +', 'compatible'],
    ['::10.0.0.1', '- - - - - - +', 'compatible'],
    ['fe80::5efe:8.8.8.8', '- - - - - + +', 'ISATAP of 8.8.8.8'],
    ['2a00:1450::5efe:10.0.0.1', '- - - - - - +', 'ISATAP of 10.0.0.1'],
    ['2001:0:a9fe:a9fe::f7f7:f7f7', '- - - - - - -', 'Teredo at a metadata service'],
    ['::1', '- - - - - + +', 'loopback'],
    ['2a00:1450::a00:1', '+ + + + + + +', 'public, unless its prefix is in `nat64`'],
  ])('%s: %s, %s', (address, expected) => {
    const shown = columns.map((allow) => (addressRule(allow)(address) ? '+' : '-'));
    expect(shown.join(' ')).toBe(expected);
  });

  test('under `localhost`, NAT64 of 127.0.0.1 is loopback, and no other form opens a private address', () => {
    const rule = addressRule(['localhost', '64:ff9b:1::/48', '::/96']);
    expect(['::1', '127.0.0.1', '64:ff9b::7f00:1'].filter((address) => !rule(address))).toEqual([]);
    expect(['64:ff9b:1::a00:1', '::10.0.0.1', '64:ff9b::a00:1'].filter(rule)).toEqual([]);
  });
});

describe('nat64', () => {
  // The forms of RFC 6052 §2.4, with a public and a private address.
  test.each([
    ['2a00:1450::/32', '2a00:1450:808:808::', '2a00:1450:a00:1::'],
    ['2a00:1450:100::/40', '2a00:1450:108:808:8::', '2a00:1450:10a:0:1::'],
    ['2a00:1450:122::/48', '2a00:1450:122:808:8:800::', '2a00:1450:122:a00:0:100::'],
    ['2a00:1450:122:300::/56', '2a00:1450:122:308:8:808::', '2a00:1450:122:30a:0:1::'],
    ['2a00:1450:122:344::/64', '2a00:1450:122:344:8:808:800::', '2a00:1450:122:344:a:0:100::'],
    ['2a00:1450:122:344::/96', '2a00:1450:122:344::808:808', '2a00:1450:122:344::a00:1'],
    ['64:ff9b:1::/96', '64:ff9b:1::808:808', '64:ff9b:1::a00:1'],
    ['64:ff9b:1::/48', '64:ff9b:1:808:8:800::', '64:ff9b:1:a00:0:100::'],
  ])('behind %s, 8.8.8.8 is allowed and 10.0.0.1 is not', (prefix, ofPublic, ofPrivate) => {
    const shown = (allow: readonly string[]) => [ofPublic, ofPrivate].map(addressRule(allow, [prefix]));
    expect(shown([])).toEqual([true, false]);
    expect(shown(['::/0'])).toEqual([true, false]);
    expect(shown(['10.0.0.0/8'])).toEqual([true, true]);
  });

  test('an address behind the longest prefix is judged by that', () => {
    const rule = addressRule([], ['64:ff9b:1::/48', '64:ff9b:1:abcd::/96']);
    expect(['64:ff9b:1:abcd::808:808', '64:ff9b:1:808:8:800::'].map(rule)).toEqual([true, true]);
    expect(rule('64:ff9b:1:abcd::a00:1')).toBe(false);
  });

  test('a metadata service behind a prefix is refused, whatever is allowed', () => {
    const rule = addressRule(['0.0.0.0/0', '::/0'], ['2a00:1450:122:344::/96']);
    expect(rule('2a00:1450:122:344::a9fe:a9fe')).toBe(false);
  });

  test.each(['64:ff9b:1::', '64:ff9b:1::/97', '64:ff9b:1::/50', '10.0.0.0/32', 'nat64.test', ''])(
    'names the wrong entry "%s"',
    (entry) => {
      expect(() => addressRule([], [entry])).toThrow(
        new TypeError(
          `nat64: "${entry}" is no prefix of NAT64: write an IPv6 range of 32, 40, 48, 56, 64 or 96 bits, ` +
            'as 64:ff9b:1::/96 is one.',
        ),
      );
    },
  );
});
