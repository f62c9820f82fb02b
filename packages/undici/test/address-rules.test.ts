import { describe, expect, test } from 'vitest';
import { addressRule } from '../src/address-rules.ts';

const isAllowed = addressRule();

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '3ffe::1',
  '::ffff:8.8.8.8',
])('%s is public', (address) => {
  expect(isAllowed(address)).toBe(true);
});

test.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.255'],
  ['link-local', '169.254.1.1'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.19.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped private, in hexadecimal', '::ffff:a00:1'],
  ['SIIT', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::8.8.8.8'],
  ['local NAT64', '64:ff9b:1::8.8.8.8'],
  ['discard', '100::1'],
  ['Teredo', '2001::1'],
  ['benchmarking', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['6to4', '2002:808:808::1'],
  ['never assigned', '1::1'],
  ['never assigned', '4000::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local', 'fe80::1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['ISATAP of a private address', '2a00:1450::5efe:10.0.0.1'],
  ['ISATAP of a private address, universal', '2a00:1450::200:5efe:10.0.0.1'],
  ['ISATAP of a public address', '2a00:1450::5efe:8.8.8.8'],
  ['no address', ''],
  ['no address', 'partner.test'],
  ['no plain address', '8.8'],
  ['no plain address', '0x8.8.8.8'],
  ['no plain address', '134744072'],
  ['no plain address', ' 8.8.8.8'],
  ['a zone', '2606:4700:4700::1111%eth0'],
])('%s is refused: %s', (_, address) => {
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

  test.each([
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:0ec2:0:0:0:0:0:0254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::ffff:168.63.129.16',
    '::169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::',
    'fd00:ec2::254%eth0',
    // ISATAP, under any prefix, of a private and of a public address.
    'fe80::5efe:169.254.169.254',
    'fd12:3456::5efe:a9fe:a9fe',
    '2a00:1450::200:5efe:168.63.129.16',
    '2001:db8::100:5efe:a9fe:a9fe',
    // RFC 6052: prefixes of 32, 40, 48, 56, 64 and 96 bits, 8 bits of zeros in the middle.
    '2a00:1450:a9fe:a9fe::',
    '2a00:1450:64a9:fea9:fe::',
    '2a00:1450:64:a9fe:a9:fe00::',
    '2a00:1450:64:64a9:fe:a9fe::',
    '2a00:1450:64:64:a9:fea9:fe00:0',
    '2a00:1450:64:64::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    // RFC 6052 has a suffix follow the address; whatever it is.
    '2a00:1450:a9fe:a9fe:0:1234:5678:9abc',
    // Teredo: of the server, and of the client with each bit turned.
    '2001::5601:5601',
    '2001:0:a9fe:a9fe::1',
    '2001:0:4136:e378:8000:63bf:5601:5601',
  ])('never opens the metadata service at %s', (address) => {
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
