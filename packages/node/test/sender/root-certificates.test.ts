import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultRoots } from '../../src/sender/root-certificates.ts';
import { authority } from './loopback.ts';

/** As in Node.js 20, which has no such function. */
const withoutFunction = (): void => {
  const { getCACertificates } = tls;
  Object.assign(tls, { getCACertificates: undefined });
  onTestFinished(() => {
    Object.assign(tls, { getCACertificates });
    vi.unstubAllEnvs();
  });
};

test('the roots are those that Node.js trusts by default', () => {
  const roots = tls.getCACertificates('default');
  onTestFinished(() => tls.setDefaultCACertificates(roots));
  tls.setDefaultCACertificates([authority.certificate]);
  expect(defaultRoots().map((pem) => pem.trim())).toEqual([authority.certificate.trim()]);
});

test('Node.js 20: the roots are those of Node.js and of NODE_EXTRA_CA_CERTS', () => {
  withoutFunction();
  const file = join(tmpdir(), 'extra-roots.pem');
  writeFileSync(file, authority.certificate);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '');
  expect(defaultRoots()).toEqual(tls.rootCertificates);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', file);
  expect(defaultRoots()).toEqual([...tls.rootCertificates, authority.certificate]);
});

test('Node.js 20: a file of NODE_EXTRA_CA_CERTS that cannot be read is left out', () => {
  withoutFunction();
  vi.stubEnv('NODE_EXTRA_CA_CERTS', join(tmpdir(), 'no-such-roots.pem'));
  expect(defaultRoots()).toEqual(tls.rootCertificates);
});
