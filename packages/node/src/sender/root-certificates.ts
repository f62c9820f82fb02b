import { readFileSync } from 'node:fs';
// Node.js 20 has no getCACertificates: a named import would fail.
import tls from 'node:tls';

/** Node.js warns of a file that it cannot read, and goes on without it. */
const extraRoots = (file: string | undefined): readonly string[] => {
  if (!file) return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
};

/**
 * The root certificates that Node.js trusts by default. Node.js 20 lists its own only; beside them it trusts those of
 * `NODE_EXTRA_CA_CERTS`.
 */
export const defaultRoots = (): readonly string[] =>
  (tls.getCACertificates as typeof tls.getCACertificates | undefined)?.('default') ?? [
    ...tls.rootCertificates,
    ...extraRoots(process.env['NODE_EXTRA_CA_CERTS']),
  ];
