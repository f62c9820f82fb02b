import { addressAttacks, metadataAddresses, publicAddresses } from '@partnerkit/testing/attacks';
import { describe, expect, test } from 'vitest';
import { addressRule } from '../src/address-rules.ts';

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
