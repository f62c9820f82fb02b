import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/**
 * What a certificate is issued for.
 * @public
 */
export interface CertificateRequest {
  /**
   * DNS names.
   * @defaultValue none
   */
  readonly names?: readonly string[];
  /**
   * IP addresses, of either family.
   * @defaultValue none
   */
  readonly addresses?: readonly string[];
  /**
   * Start of the validity.
   * @defaultValue one hour ago
   */
  readonly validFrom?: Date;
  /**
   * End of the validity.
   * @defaultValue 30 days ahead
   */
  readonly validTo?: Date;
}

/**
 * A certificate and its private key, as `node:tls` takes them.
 * @public
 */
export interface IssuedCertificate {
  /** PEM. */
  readonly cert: string;
  /** PEM, PKCS #8. */
  readonly key: string;
}

/**
 * An authority for tests: its certificate is the `ca` of those who are to trust what it issues.
 * @public
 */
export interface CertificateAuthority {
  /** PEM. */
  readonly certificate: string;
  /** A server certificate with a key of its own. */
  issue(request?: CertificateRequest): Promise<IssuedCertificate>;
}

const hour = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms);

/** One DER element (X.690): tag, length, content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const bitString = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
/** RFC 5280 §4.1.2.5: two digits for the year until 2049. */
const time = (date: Date) => {
  const digits = `${date.toISOString().replace(/\.\d+|\D/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
};
const commonName = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const yes = der(0x01, Buffer.from([255]));
const extension = (id: string, value: Uint8Array) => sequence(oid(id), der(0x04, value));
const criticalExtension = (id: string, value: Uint8Array) => sequence(oid(id), yes, der(0x04, value));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const isAuthority = criticalExtension('551d13', sequence(yes));
const isNoAuthority = criticalExtension('551d13', sequence());
const signsCertificates = criticalExtension('551d0f', der(0x03, Buffer.from([1, 0x06])));
const signsHandshakes = criticalExtension('551d0f', der(0x03, Buffer.from([7, 0x80])));
const authenticatesServers = extension('551d25', sequence(oid('2b06010505070301')));

/** RFC 5280 §4.2.1.6: the bytes of an address, 4 or 16. */
const addressBytes = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = new URL(`https://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text = '') => (text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

const alternativeNames = ({ names = [], addresses = [] }: CertificateRequest) =>
  extension(
    '551d11',
    sequence(
      ...names.map((name) => der(0x82, Buffer.from(name))),
      ...addresses.map((address) => der(0x87, addressBytes(address))),
    ),
  );

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });
const keyId = (key: KeyObject) => createHash('sha1').update(spki(key)).digest();
const isKey = (key: KeyObject) => extension('551d0e', der(0x04, keyId(key)));
const isSignedBy = (key: KeyObject) => extension('551d23', sequence(der(0x80, keyId(key))));

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Statement {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly extensions: readonly Uint8Array[];
}

/** RFC 5280 §4.1. */
const certificate = (statement: Statement, signingKey: KeyObject): string => {
  const { issuer, subject, publicKey, validFrom, validTo, extensions } = statement;
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // The first bit clear, for the number is signed; the next one set, for it is written without leading zeros.
    der(0x02, randomBytes(16).fill(0x40, 0, 1)),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(validFrom), time(validTo)),
    commonName(subject),
    spki(publicKey),
    der(0xa3, sequence(...extensions)),
  );
  const bytes = sequence(signed, ecdsaWithSha256, bitString(sign('sha256', signed, signingKey)));
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`;
};

/**
 * A new authority (ECDSA P-256) for real TLS in tests and demonstrations, where everything runs on one machine.
 * @example
 * const authority = createCertificateAuthority();
 * const { cert, key } = await authority.issue({ names: ['partner.example'], addresses: ['127.0.0.1'] });
 * @public
 */
export const createCertificateAuthority = (): CertificateAuthority => {
  const { privateKey, publicKey } = newKey();
  // Random, because two authorities of one name would be taken for one another.
  const issuer = `partnerkit tests ${randomBytes(4).toString('hex')}`;
  return {
    certificate: certificate(
      {
        issuer,
        subject: issuer,
        publicKey,
        validFrom: ago(hour),
        validTo: ago(-365 * 24 * hour),
        extensions: [isAuthority, signsCertificates, isKey(publicKey)],
      },
      privateKey,
    ),
    issue: async (request = {}) => {
      const { validFrom = ago(hour), validTo = ago(-30 * 24 * hour) } = request;
      const own = newKey();
      const extensions = [
        isNoAuthority,
        signsHandshakes,
        authenticatesServers,
        isSignedBy(publicKey),
        alternativeNames(request),
      ];
      const subject = request.names?.[0] ?? request.addresses?.[0] ?? 'unnamed';
      return {
        cert: certificate({ issuer, subject, publicKey: own.publicKey, validFrom, validTo, extensions }, privateKey),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
};
