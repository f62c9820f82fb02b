/**
 * A network address, and what a sender of webhooks must do with it.
 * @public
 */
export interface AddressAttack {
  /** The address, as DNS or the host of a URL may give it. */
  readonly address: string;
  /** What it is. */
  readonly what: string;
}

const dotted = (number: number): string => [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
const numbered = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
/** The last 32 bits as two groups of IPv6. */
const hex = (address: string): string => {
  const number = numbered(address);
  return `${(number >>> 16).toString(16)}:${(number & 65_535).toString(16)}`;
};

/** Blocks of the registries of IANA for special purposes (RFC 6890), and multicast. */
const blocks: readonly (readonly [what: string, first: string, bits: number])[] = [
  ['this network', '0.0.0.0', 8],
  ['private', '10.0.0.0', 8],
  ['carrier-grade NAT', '100.64.0.0', 10],
  ['loopback', '127.0.0.0', 8],
  ['link-local', '169.254.0.0', 16],
  ['private', '172.16.0.0', 12],
  ['protocol assignments', '192.0.0.0', 24],
  ['documentation', '192.0.2.0', 24],
  ['6to4 relay', '192.88.99.0', 24],
  ['private', '192.168.0.0', 16],
  ['benchmarking', '198.18.0.0', 15],
  ['documentation', '198.51.100.0', 24],
  ['documentation', '203.0.113.0', 24],
  ['multicast', '224.0.0.0', 4],
  ['reserved', '240.0.0.0', 4],
];

/** Forms of IPv6 that contain an address of IPv4. */
const embeddings: Readonly<Record<string, (address: string) => string>> = {
  mapped: (address) => `::ffff:${address}`,
  'mapped, in hexadecimal': (address) => `::ffff:${hex(address)}`,
  'mapped, written out': (address) => `0:0:0:0:0:ffff:${hex(address)}`,
  compatible: (address) => `::${address}`,
  SIIT: (address) => `::ffff:0:${address}`,
  NAT64: (address) => `64:ff9b::${hex(address)}`,
  '6to4': (address) => `2002:${hex(address)}::`,
  ISATAP: (address) => `2a00:1450::5efe:${hex(address)}`,
};

const edges = blocks.flatMap(([what, first, bits]): AddressAttack[] => {
  const start = numbered(first);
  const size = 2 ** (32 - bits);
  return [
    { what: `${what}, first`, address: first },
    { what: `${what}, last`, address: dotted(start + size - 1) },
    { what: `${what}, middle`, address: dotted(start + size / 2) },
    ...Object.entries(embeddings).map(([form, embed]) => ({
      what: `${what}, ${form}`,
      address: embed(dotted(start + 1)),
    })),
  ];
});

/** Services that hand the credentials of a machine to whoever asks from it. Never reached, whatever is allowed. */
const metadata: readonly AddressAttack[] = [
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...['fd00:ec2::254', 'fd00:0ec2:0:0:0:0:0:0254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'],
  ...[
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::ffff:168.63.129.16',
    '::169.254.169.254',
    '::ffff:0:169.254.169.254',
  ],
  ...[
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::',
    'fd00:ec2::254%eth0',
    'fe80::5efe:169.254.169.254',
    'fd12:3456::5efe:a9fe:a9fe',
  ],
  // ISATAP, under any prefix, of a private and of a public address.
  ...['2a00:1450::200:5efe:168.63.129.16', '2001:db8::100:5efe:a9fe:a9fe'],
  // RFC 6052: prefixes of 32, 40, 48, 56, 64 and 96 bits, 8 bits of zeros in the middle, and any suffix.
  ...[
    '2a00:1450:a9fe:a9fe::',
    '2a00:1450:64a9:fea9:fe::',
    '2a00:1450:64:a9fe:a9:fe00::',
    '2a00:1450:64:64a9:fe:a9fe::',
  ],
  ...[
    '2a00:1450:64:64:a9:fea9:fe00:0',
    '2a00:1450:64:64::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '2a00:1450:a9fe:a9fe:0:1234:5678:9abc',
  ],
  // Teredo: of the server, and of the client with each bit turned.
  ...['2001::5601:5601', '2001:0:a9fe:a9fe::1', '2001:0:4136:e378:8000:63bf:5601:5601'],
].map((address) => ({ address, what: 'metadata service of a cloud' }));

const version6: readonly AddressAttack[] = (
  [
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback, written out', '0:0:0:0:0:0:0:1'],
    ['local NAT64', '64:ff9b:1::8.8.8.8'],
    ['discard', '100::1'],
    ['Teredo', '2001::1'],
    ['benchmarking', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['never assigned', '1::1'],
    ['never assigned', '4000::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456::1'],
    ['link-local', 'fe80::1'],
    ['link-local, last', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff00::1'],
    ['multicast', 'ff02::1'],
    ['ISATAP, universal', '2a00:1450::200:5efe:10.0.0.1'],
  ] as const
).map(([what, address]) => ({ what, address }));

const malformed: readonly AddressAttack[] = [
  ...[
    '',
    ' ',
    'partner.test',
    'localhost',
    '8.8',
    '8.8.8',
    '8.8.8.8.8',
    '0x8.8.8.8',
    '0x08080808',
    '134744072',
    '010.8.8.8',
    '8.8.8.08',
  ],
  ...[
    ' 8.8.8.8',
    '8.8.8.8 ',
    '8.8.8.8\n',
    '8.8.8.256',
    '8.8.8.-1',
    '８.8.8.8',
    '8。8。8。8',
    '8.8.8.8/32',
    '8.8.8.8:443',
    '[::1]',
    ':::',
    '1:2:3:4:5:6:7',
  ],
  ...['2606:4700:4700::1111%eth0', '2606:4700:4700::1111%25', '::g', '12345::', '::ffff:8.8.8', '\u0000', '__proto__'],
].map((address) => ({ address, what: 'not an address' }));

/** Addresses that no allowed range opens. @public */
export const metadataAddresses: readonly AddressAttack[] = metadata;

/**
 * Addresses that a sender of webhooks must never connect to, unless the host allows their range.
 * @public
 */
export const addressAttacks: readonly AddressAttack[] = [...edges, ...metadata, ...version6, ...malformed];

/** Public addresses, each beside a block that is not. They must be reachable. @public */
export const publicAddresses: readonly string[] = [
  ...[
    '1.0.0.0',
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...[
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.88.98.255',
  ],
  ...[
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
  ],
  ...[
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ],
];

/**
 * Answers of DNS for the host of an endpoint, one after the other.
 * @public
 */
export interface DnsAttack {
  /** What is hostile. */
  readonly name: string;
  /** The addresses of each look-up; the last answer is repeated. */
  readonly answers: readonly (readonly string[])[];
}

/**
 * Answers of DNS after which no byte may be sent to an address that is not public.
 * @public
 */
export const dnsAttacks: readonly DnsAttack[] = [
  { name: 'a private address', answers: [['10.0.0.1']] },
  { name: 'a public and a private address', answers: [['8.8.8.8', '10.0.0.1']] },
  { name: 'a private and a public address', answers: [['10.0.0.1', '8.8.8.8']] },
  { name: 'a public address, and a private one behind NAT64', answers: [['8.8.8.8', '64:ff9b::a00:1']] },
  { name: 'no address', answers: [[]] },
  { name: 'a text', answers: [['localhost']] },
  { name: 'an empty text', answers: [['']] },
  { name: 'a zone', answers: [['fe80::1%eth0']] },
  { name: 'the metadata service', answers: [['169.254.169.254']] },
  { name: 'the metadata service, mapped', answers: [['::ffff:169.254.169.254']] },
  { name: 'a public address at first, then loopback', answers: [['8.8.8.8'], ['127.0.0.1']] },
  { name: 'loopback at first, then a public address', answers: [['127.0.0.1'], ['8.8.8.8']] },
  {
    name: '1,000 addresses, the last one private',
    answers: [[...Array.from({ length: 999 }, () => '8.8.8.8'), '10.0.0.1']],
  },
];

/**
 * URLs of endpoints that must be refused when they are created, or never be sent to.
 * @public
 */
export const urlAttacks: readonly string[] = [
  ...[
    'http://partner.example/',
    'ftp://partner.example/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:alert(1)',
    '//partner.example/',
  ],
  ...['https://', 'https:///x', 'https://:443/', 'https://user:pass@partner.example/', 'https://user@partner.example/'],
  ...[
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
  ],
  ...[
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
  ],
  ...[
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://169.254.169.254/',
    'https://100.100.100.200/',
    'https://224.0.0.1/',
  ],
  ...[
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
  ],
  ...[
    'https://partner.example:22/',
    'https://partner.example:0/',
    'https://partner.example:99999/',
    'https://exa mple/',
    'https://partner.example\\@10.0.0.1/',
  ],
  ...['', ' ', 'https', 'partner.example', 'null', '__proto__', 'https://[/', `https://${'a'.repeat(3_000)}.example/`],
];
