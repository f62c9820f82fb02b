// tsyringe, a dependency of the library, requires this global before any other import.
import 'reflect-metadata';
import { randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { writeError } from './cli-error.ts';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** The file of the certificate, for the sender's `ca`. */
  readonly certFile: string;
}

const day = 86_400_000;
const lifetime = 365 * day;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const newCertificate = async (): Promise<Pick<Certificate, 'cert' | 'key'>> => {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // The first bit is clear, because the number is signed.
    serialNumber: randomBytes(16).fill(0x40, 0, 1).toString('hex'),
    name: 'CN=localhost',
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + lifetime),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      // Who trusts the certificate trusts this server alone: its key can sign no other certificate.
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
};

/**
 * A certificate for localhost, made once and kept in a folder until a week before it expires. It is no authority.
 * @throws CliError when the folder cannot be written.
 */
export const localCertificate = async (folder: string): Promise<Certificate> => {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  if (existsSync(certFile) && existsSync(keyFile)) {
    const cert = readFileSync(certFile, 'utf8');
    const { ca: isAuthority, validTo } = new X509Certificate(cert);
    if (!isAuthority && Date.parse(validTo) > Date.now() + 7 * day)
      return { cert, key: readFileSync(keyFile, 'utf8'), certFile };
  }
  const { cert, key } = await newCertificate();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certFile, cert);
  } catch (cause) {
    throw writeError(folder, cause);
  }
  return { cert, key, certFile };
};
