import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { Account } from '@partnerkit/core';
import type { Served } from './served.ts';

/** The account that every server looks up. */
export const organisation: Account = {
  id: '0c4e6bf0-6d3a-4e9e-8f3b-4c1f2f0f7a11',
  name: 'Benchmark',
  status: 'active',
  environment: 'prod',
};

/** Verifies a signature by ES256 (RFC 7515 §5.2, RFC 7518 §3.4). */
const isSigned = (token: string, keys: readonly JsonWebKey[]): boolean => {
  const [head = '', claims = '', signature = ''] = token.split('.');
  return keys.some((jwk) =>
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    ),
  );
};

/** Check the body of a response. */
export const checks = {
  login: (body: string, { keys = [] }: Served): void => {
    const { access_token: token } = JSON.parse(body);
    if (typeof token !== 'string' || !isSigned(token, keys)) throw new Error(`No signed token: ${body}`);
  },
  me: (body: string): void => {
    const { id, name } = JSON.parse(body);
    if (id !== organisation.id || name !== organisation.name) throw new Error(`Not the account: ${body}`);
  },
} as const;
