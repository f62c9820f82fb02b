import { z } from 'zod';
import { documentation } from '#documentation';
import { assertionAlgorithms, jwkThumbprint, type PublicJwk, readPublicJwk } from '../../base/crypto/public-jwk.ts';
import { value } from '../../base/fields/field.ts';
import { identifier } from '../../base/fields/values.ts';

/** Maximum number of public keys of a client. */
export const maxKeys = 5;
/** Maximum length of a member: an RSA modulus of 4,096 bits has 683 characters. */
const maxMember = 700;

/**
 * A public key of a client as it is given (RFC 7517). Members that are not listed are ignored, and private ones are
 * refused.
 * @public
 */
export interface PublicJwkInput {
  /** Key type. */
  readonly kty: 'EC' | 'OKP' | 'RSA';
  /** Key ID: 1 to 256 bytes. @defaultValue its thumbprint (RFC 7638) */
  readonly kid?: string | undefined;
  /** `RS256` or `PS256` of an RSA key. @defaultValue that of the curve */
  readonly alg?: string | undefined;
  /** Absent, or `sig`. */
  readonly use?: string | undefined;
  /** Curve of `EC` and `OKP`: `P-256`, `P-384` or `Ed25519`. */
  readonly crv?: string | undefined;
  /** X coordinate of `EC`, or the public key of `OKP`, in Base64url. */
  readonly x?: string | undefined;
  /** Y coordinate of `EC`, in Base64url. */
  readonly y?: string | undefined;
  /** Modulus of `RSA`, in Base64url: 2,048 to 4,096 bits. */
  readonly n?: string | undefined;
  /** Exponent of `RSA`, in Base64url: `AQAB`. */
  readonly e?: string | undefined;
}

/**
 * The public keys of a client (RFC 7517 §5; RFC 7591 §2, `jwks`), with which it logs in by `private_key_jwt`.
 * @public
 */
export interface ClientKeySet {
  /** One to five keys. */
  readonly keys: readonly PublicJwk[];
}

/**
 * The public keys of a client, as they are given.
 * @public
 */
export interface ClientKeySetInput {
  /** One to five keys. */
  readonly keys: readonly PublicJwkInput[];
}

const setRule = `{ "keys": [...] } with 1 to ${maxKeys} public keys (RFC 7517).`;
const memberRule = `text in Base64url of at most ${maxMember} characters.`;

const given = () => {
  const member = () => z.string(memberRule).max(maxMember, memberRule).optional();
  return z
    .looseObject({
      kty: z.enum(['EC', 'OKP', 'RSA'], 'EC, OKP or RSA: a public key.'),
      kid: identifier().optional(),
      alg: z.enum(assertionAlgorithms, `one of ${assertionAlgorithms.join(', ')}.`).optional(),
      use: z.literal('sig', 'sig: the key verifies signatures.').optional(),
      ...{ crv: z.enum(['P-256', 'P-384', 'Ed25519'], 'P-256, P-384 or Ed25519.').optional() },
      ...{ x: member(), y: member(), n: member(), e: member() },
    })
    .transform((jwk, context): PublicJwk => {
      const read = readPublicJwk(jwk);
      if (read.isOk()) return read.value;
      const { member: name, detail } = read.error;
      context.issues.push({ code: 'custom', path: [name], message: detail, input: undefined });
      return z.NEVER;
    });
};

/** The places of keys that repeat an id or a key. */
const repeated = (keys: readonly PublicJwk[]): readonly number[] =>
  keys.flatMap((key, place) => {
    const isKnown = keys
      .slice(0, place)
      .some((other) => other.kid === key.kid || jwkThumbprint(other) === jwkThumbprint(key));
    return isKnown ? [place] : [];
  });

const view = () => {
  const text = () => z.string().optional();
  return z.strictObject({
    keys: z.array(
      z.strictObject({
        kid: z.string(),
        kty: z.enum(['EC', 'OKP', 'RSA']),
        alg: z.enum(assertionAlgorithms),
        ...{ crv: text(), x: text(), y: text(), n: text(), e: text() },
      }),
    ),
  });
};

/** The public keys of a client. `isVerified`: whether the kit verifies their signatures. */
export const publicKeys = (isVerified: boolean) => {
  const input = z
    .strictObject(
      {
        keys: z
          .array(given(), setRule)
          .min(1, setRule)
          .max(maxKeys, setRule)
          .superRefine((keys, context) => {
            for (const place of repeated(keys))
              context.addIssue({ code: 'custom', path: [place, 'kid'], message: 'each key and each kid once.' });
          }),
      },
      setRule,
    )
    .refine(
      () => isVerified,
      'this platform verifies no signatures of clients: its option tokens needs verifyAssertion and an issuer.',
    )
    .register(documentation, {
      example: {
        // The public key of RFC 7517, appendix A.1.
        keys: [
          {
            ...{ kty: 'EC', crv: 'P-256', kid: '2027', alg: 'ES256' },
            x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
            y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
          },
        ],
      },
    });
  return value('Public keys for logins by `private_key_jwt` (RFC 7591 §2). Absent: it logs in with a secret.', {
    input: input as z.ZodType as z.ZodType<ClientKeySet, ClientKeySetInput>,
    view: view() as z.ZodType as z.ZodType<ClientKeySet, ClientKeySet>,
  });
};
