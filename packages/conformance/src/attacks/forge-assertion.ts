import { createPublicKey, randomUUID } from 'node:crypto';
import {
  base64url,
  forge,
  type Members,
  type PrivateJwk,
  publicPart,
  signText,
  signWithSecret,
  unsigned,
} from '../contracts/tokens/forge.ts';

/** What a forger knows of a client: even its keys. */
export interface AssertionForgery {
  readonly clientId: string;
  /** Another client. */
  readonly otherId: string;
  /** An audience of the platform: its issuer. */
  readonly audience: string;
  /** A key of the client, of ES256. */
  readonly key: PrivateJwk;
  /** A key of the client, of RS256. */
  readonly rsa: PrivateJwk;
  /** A key of ES256 of the other client. */
  readonly stranger: PrivateJwk;
  /** An access token of the client. */
  readonly token: string;
}
export type Forge = (forgery: AssertionForgery) => string;

/**
 * What a forged assertion is refused for, as the account of its client sees it. `none`: it names no client, or another
 * one.
 */
export type ForgeryReason = 'none' | 'wrong_assertion' | 'wrong_assertion_claims' | 'expired_assertion';
/** Forged assertions, by what is wrong with each. */
export type ForgeryTable = Readonly<Record<string, readonly [ForgeryReason, Forge]>>;

export const nowInSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Claims of a genuine assertion. */
const genuineClaims = ({ clientId, audience }: AssertionForgery): Members => {
  const now = nowInSeconds();
  return { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: now, nbf: now, exp: now + 60 };
};

/** An assertion of the client, with other members than a genuine one has; `undefined` leaves one out. */
export const clientAssertion = (forgery: AssertionForgery, payload: Members = {}, header: Members = {}): string =>
  forge(
    forgery.key,
    { header: {}, payload: genuineClaims(forgery) },
    { payload, header: { kid: undefined, ...header } },
  );

export const claiming =
  (changes: Members | ((forgery: AssertionForgery) => Members)): Forge =>
  (forgery) =>
    clientAssertion(forgery, typeof changes === 'function' ? changes(forgery) : changes);

/** Another header, under a genuine signature of it. */
export const heading =
  (header: Members): Forge =>
  (forgery) =>
    clientAssertion(forgery, {}, header);

/** The key of another client. */
export const byStranger =
  (header: Members | ((forgery: AssertionForgery) => Members)): Forge =>
  (forgery) =>
    clientAssertion({ ...forgery, key: forgery.stranger }, {}, typeof header === 'function' ? header(forgery) : header);

/** Another signature; it is given the one of the client. */
export const signed =
  (
    signature: (text: string, forgery: AssertionForgery, genuine: Buffer) => string | Uint8Array,
    header: Members = { alg: 'ES256' },
  ): Forge =>
  (forgery) => {
    const text = unsigned({ header, payload: genuineClaims(forgery) });
    const made = signature(text, forgery, Buffer.from(signText(forgery.key, text), 'base64url'));
    return `${text}.${typeof made === 'string' ? made : base64url(made)}`;
  };

export const pem = (jwk: PrivateJwk): string =>
  createPublicKey({ key: { ...publicPart(jwk) }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
export const hmac = (alg: string, secret: (forgery: AssertionForgery) => string): Forge =>
  signed((text, forgery) => signWithSecret(alg, secret(forgery), text), { alg });

/** Header and claims as texts, under a genuine signature of them. */
export const written =
  (write: (claims: string) => readonly [header: string, claims: string | Uint8Array]): Forge =>
  (forgery) => {
    const [header, claims] = write(JSON.stringify(genuineClaims(forgery)));
    const text = `${base64url(header)}.${base64url(claims)}`;
    return `${text}.${signText(forgery.key, text)}`;
  };
export const es256 = '{"alg":"ES256"}';
export const claimed = (write: (claims: string) => string | Uint8Array): Forge =>
  written((claims) => [es256, write(claims)]);

/** A genuine assertion whose text was changed. */
export const changed =
  (change: (assertion: string) => string): Forge =>
  (forgery) =>
    change(clientAssertion(forgery));
export const replaced = (place: number, part: (old: string) => string): Forge =>
  changed((text) =>
    text
      .split('.')
      .map((old, at) => (at === place ? part(old) : old))
      .join('.'),
  );
