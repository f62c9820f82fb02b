// tsyringe, a dependency of the library, requires this global before any other import.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIPv6 } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/**
 * The subject and validity of a certificate.
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
 * A certificate authority for tests. Its certificate is the `ca` option of whoever shall trust the issued ones.
 * @public
 */
export interface CertificateAuthority {
  /** PEM. */
  readonly certificate: string;
  /** Issues a server certificate with a new key. */
  issue(request?: CertificateRequest): Promise<IssuedCertificate>;
}

const hour = 3_600_000;
const fromNow = (ms: number): Date => new Date(Date.now() + ms);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
/** The library does not parse the dotted form inside IPv6 (`::ffff:192.0.2.1`). */
const plain = (address: string): string =>
  isIPv6(address) ? new URL(`https://[${address}]`).hostname.slice(1, -1) : address;
/** The first bit is clear, because the number is signed. */
const newSerialNumber = (): string => randomBytes(16).fill(0x40, 0, 1).toString('hex');

/**
 * Creates an authority (ECDSA P-256) for real TLS in tests and demonstrations on one machine.
 * @example
 * const authority = await createCertificateAuthority();
 * const { cert, key } = await authority.issue({ names: ['partner.example'], addresses: ['127.0.0.1'] });
 * @public
 */
export const createCertificateAuthority = async (): Promise<CertificateAuthority> => {
  const keys = await newKeys();
  // Random, because clients confuse two authorities of the same name.
  const issuer = `CN=partnerkit tests ${randomBytes(4).toString('hex')}`;
  const root = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: issuer,
    notBefore: fromNow(-hour),
    notAfter: fromNow(365 * 24 * hour),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificate: root.toString('pem'),
    issue: async ({
      names = [],
      addresses = [],
      validFrom = fromNow(-hour),
      validTo = fromNow(30 * 24 * hour),
    } = {}) => {
      const own = await newKeys();
      const certificate = await X509CertificateGenerator.create({
        serialNumber: newSerialNumber(),
        issuer,
        subject: `CN=${names[0] ?? 'partnerkit test'}`,
        notBefore: validFrom,
        notAfter: validTo,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
          await AuthorityKeyIdentifierExtension.create(keys.publicKey),
          new SubjectAlternativeNameExtension([
            ...names.map((value) => ({ type: 'dns' as const, value })),
            ...addresses.map((address) => ({ type: 'ip' as const, value: plain(address) })),
          ]),
        ],
      });
      const key = await webcrypto.subtle.exportKey('pkcs8', own.privateKey);
      return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
    },
  };
};
