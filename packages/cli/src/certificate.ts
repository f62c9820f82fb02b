import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { writeError } from './cli-error.ts';

/** @internal */
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

/**
 * A certificate for localhost, made once and kept in a folder until a week before it expires. It is no authority.
 * @throws CliError when the folder cannot be written.
 * @internal
 */
export const localCertificate = async (folder: string): Promise<Certificate> => {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  if (existsSync(certFile) && existsSync(keyFile)) {
    const cert = readFileSync(certFile, 'utf8');
    const { ca: isAuthority, validTo } = new X509Certificate(cert);
    if (!isAuthority && Date.parse(validTo) > Date.now() + 7 * day)
      return { cert, key: readFileSync(keyFile, 'utf8'), certFile };
  }
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + lifetime),
    extensions: [
      // Who trusts the certificate trusts this server alone: its key can sign no other certificate.
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certFile, cert);
  } catch (cause) {
    throw writeError(folder, cause);
  }
  return { cert, key, certFile };
};
