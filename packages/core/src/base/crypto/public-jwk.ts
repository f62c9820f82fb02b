import { createPublicKey, hash } from 'node:crypto';
import { err, ok, type Result } from '#result';
import { fromBase64url } from '../runtime/base64.ts';

/** Signature algorithms of client assertions (RFC 7518 §3.1, RFC 9864). `EdDSA` is the older name of `Ed25519`. */
export const assertionAlgorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'RS256', 'PS256'] as const;

/**
 * A signature algorithm (RFC 7518 §3.1, RFC 9864). `EdDSA` (RFC 8037) is the older name of `Ed25519`.
 * @public
 */
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];

/**
 * A public key as a JWK (RFC 7517), with its public members alone.
 * @public
 */
export interface PublicJwk {
  /** Key ID: as it was given, else the thumbprint (RFC 7638). Unique in its set. */
  readonly kid: string;
  /** Key type. */
  readonly kty: 'EC' | 'OKP' | 'RSA';
  /** The algorithm of its signatures. */
  readonly alg: AssertionAlgorithm;
  /** Curve of `EC` and `OKP`: `P-256`, `P-384` or `Ed25519`. */
  readonly crv?: string;
  /** X coordinate of `EC`, or the public key of `OKP`, in Base64url. */
  readonly x?: string;
  /** Y coordinate of `EC`, in Base64url. */
  readonly y?: string;
  /** Modulus of `RSA`, in Base64url. */
  readonly n?: string;
  /** Exponent of `RSA`, in Base64url. */
  readonly e?: string;
}

type Members = Readonly<Record<string, unknown>>;

/** What is wrong with a key, at one of its members. */
interface WrongMember {
  readonly member: string;
  readonly detail: string;
}

/** Members of private and symmetric keys (RFC 7518 §6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const [minRsaBits, maxRsaBits] = [2_048, 4_096];

/** The algorithms by which a key may sign: that of its curve, or the one of an RSA key. */
export const algorithmsOf = ({ kty, crv, alg }: Pick<PublicJwk, 'kty' | 'crv' | 'alg'>): readonly string[] => {
  if (kty === 'OKP') return ['Ed25519', 'EdDSA'];
  if (kty === 'EC') return [crv === 'P-384' ? 'ES384' : 'ES256'];
  return [alg];
};

/** Y coordinates of the points of small order of Ed25519: signatures of such keys prove nothing (RFC 8032 §8.4). */
const smallOrder: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

const hasSmallOrder = (x: string): boolean => {
  // The last bit is the sign of x.
  const bytes = [...(fromBase64url(x) ?? [])].map((byte, place) => (place === 31 ? byte & 0x7f : byte));
  return smallOrder.has(bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(''));
};

/** The canonical public members of a key that node:crypto can read; a point off its curve is no key. */
const canonical = (
  members: object,
): { readonly jwk: Members; readonly bits: number; readonly e: bigint } | undefined => {
  try {
    const key = createPublicKey({ key: { ...(members as Record<string, string>) }, format: 'jwk' });
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    return { jwk: key.export({ format: 'jwk' }), bits: modulusLength, e: publicExponent };
  } catch {
    return undefined;
  }
};

type ThumbprintMembers = Partial<Omit<PublicJwk, 'kid' | 'alg'>>;

const thumbprints = new WeakMap<ThumbprintMembers, string>();

/**
 * The thumbprint of a key (RFC 7638): the required members in lexicographic order. It is hashed once for each object:
 * every call with a token of a key asks for that of each key of its client.
 */
export const jwkThumbprint = (key: ThumbprintMembers): string => {
  const known = thumbprints.get(key);
  if (known !== undefined) return known;
  const { kty = 'EC', crv, x, y, n, e } = key;
  const members = { EC: { crv, kty, x, y }, OKP: { crv, kty, x }, RSA: { e, kty, n } }[kty];
  const made = hash('sha256', JSON.stringify(members), 'base64url');
  thumbprints.set(key, made);
  return made;
};

const wrong = (member: string, detail: string): Result<never, WrongMember> => err({ member, detail });

/** What a key of a known type lacks. */
const weakness = ({ kty, crv, alg }: Members): WrongMember | undefined => {
  if (kty === 'EC' && crv !== 'P-256' && crv !== 'P-384') return { member: 'crv', detail: 'P-256 or P-384.' };
  if (kty === 'OKP' && crv !== 'Ed25519') return { member: 'crv', detail: 'Ed25519.' };
  if (kty === 'RSA' && alg !== 'RS256' && alg !== 'PS256')
    return { member: 'alg', detail: 'an RSA key names its algorithm: RS256 or PS256.' };
  const known: readonly unknown[] = kty === 'RSA' ? [alg] : algorithmsOf({ kty, crv } as PublicJwk);
  if (alg !== undefined && !known.includes(alg)) return { member: 'alg', detail: `of this key: ${known.join(', ')}.` };
  return undefined;
};

/** Reads a public key: refuses private members, unknown types and curves, and keys that are too weak. */
export const readPublicJwk = (given: Members): Result<PublicJwk, WrongMember> => {
  const { kty, crv, x, y, n, e, alg, kid } = given;
  const secret = privateMembers.find((member) => given[member] !== undefined);
  if (secret !== undefined) return wrong(secret, 'a private key: give the public key only, and replace this one.');
  const weak = weakness(given);
  if (weak) return err(weak);
  const read = canonical(kty === 'RSA' ? { kty, n, e } : kty === 'EC' ? { kty, crv, x, y } : { kty, crv, x });
  if (!read)
    return wrong(kty === 'RSA' ? 'n' : 'x', 'no public key: a member is missing, or the point is not on the curve.');
  if (kty === 'RSA' && (read.bits < minRsaBits || read.bits > maxRsaBits))
    return wrong('n', `a modulus of ${minRsaBits} to ${maxRsaBits} bits.`);
  if (kty === 'RSA' && read.e !== 65_537n) return wrong('e', 'the exponent 65537 (AQAB).');
  if (kty === 'OKP' && hasSmallOrder(String(read.jwk['x']))) return wrong('x', 'no public key: its order is small.');
  const members = read.jwk as unknown as PublicJwk;
  const algorithm = (alg ?? algorithmsOf(members)[0]) as AssertionAlgorithm;
  return ok({ ...members, kid: typeof kid === 'string' ? kid : jwkThumbprint(members), alg: algorithm });
};
