import {
  ed25519PrivateKey,
  ed25519PublicBytes,
  ed25519PublicKey,
  signEd25519,
  verifyEd25519,
} from '../../base/crypto/ed25519.ts';
import { fromBase64, toBase64, toBase64url } from '../../base/runtime/base64.ts';
import { isBytes } from '../../base/runtime/brand.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { toUtf8 } from '../../base/runtime/text.ts';
import { toSeconds } from '../../base/runtime/time.ts';
import { type SignatureOptions, type SignatureScheme, untilOf } from './signature-scheme.ts';
import {
  addStandard,
  isAddressedTo,
  isOfOthers,
  readStandard,
  standardDocuments,
  standardHeaderNames,
} from './standard-signature.ts';
import { isTimely, isUnambiguous } from './standard-webhooks.ts';

/**
 * A key of {@link ed25519}: the platform has the private key, its partners the public one.
 * @public
 */
export type Ed25519Key =
  | {
      /** 1 to 32 of `A-Z a-z 0-9 _ -`; the `kid` of the public key. */
      readonly id: string;
      /** The 32 secret bytes of the key (RFC 8032 §5.1.5). */
      readonly privateKey: Uint8Array;
      /** Not with `privateKey`. */
      readonly publicKey?: never;
    }
  | {
      /** 1 to 32 of `A-Z a-z 0-9 _ -`. */
      readonly id: string;
      /** The 32 bytes of the public key: `x` of the JWK. */
      readonly publicKey: Uint8Array;
      /** Not with `publicKey`. */
      readonly privateKey?: never;
    };

/**
 * Options of {@link ed25519}.
 * @public
 */
export interface Ed25519Options extends SignatureOptions {
  /**
   * The keys. The first private key signs; every key verifies, and the public keys of all are served. To rotate, add
   * the new key at the end, wait until receivers have read it, then move it to the front.
   */
  readonly keys: readonly [Ed25519Key, ...Ed25519Key[]];
}

const content = (id: string, timestamp: string, body: string | Uint8Array): Uint8Array => {
  const head = toUtf8(`${id}.${timestamp}.`);
  const bytes = typeof body === 'string' ? toUtf8(body) : body;
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
};

/** One text for each signature: `atob` accepts others, without padding or with bits that it drops. */
const readSignature = (text: string): Uint8Array | undefined => {
  const bytes = fromBase64(text);
  return bytes && toBase64(bytes) === text ? bytes : undefined;
};

const readKey = (key: Ed25519Key): { readonly id: string; readonly bytes: Uint8Array } => {
  if (typeof key !== 'object' || key === null || !/^[A-Za-z0-9_-]{1,32}$/.test(key.id))
    throw new TypeError('ed25519: an id of a key takes 1 to 32 of A-Z a-z 0-9 _ -.');
  const given = key.privateKey ?? key.publicKey;
  if (!isBytes(given) || given.length !== 32)
    throw new TypeError(`ed25519: the key "${key.id}" needs 32 bytes as privateKey or publicKey.`);
  return { id: key.id, bytes: key.publicKey ?? ed25519PublicBytes(key.privateKey) };
};

/**
 * A signature by Ed25519 (RFC 8032), as Standard Webhooks (version 1.0.0) sends it: `v1a` in `webhook-signature`, of
 * id, timestamp and body. No partner can sign in the name of the platform. The kit serves the public keys as a JWK set
 * at `/.well-known/webhook-keys.json`.
 *
 * One key signs for all partners, so the signed `webhook-id` names the endpoint: it is the id of the event, `_` and the
 * id of the endpoint. A receiver must check that, or a partner could send it what the platform signed for that partner.
 * `createReceiver` needs the option `endpoints` for it.
 * @example
 * const privateKey = new Uint8Array(Buffer.from(process.env['WEBHOOK_KEY'] ?? '', 'base64'));
 * const signatures = [ed25519({ keys: [{ id: 'w1', privateKey }] })];
 * @throws TypeError when a key is wrong, or an id is used twice.
 * @public
 */
export const ed25519 = (options: Ed25519Options): SignatureScheme => {
  assertOptionNames('ed25519', options, { keys: true, until: true });
  const { keys } = options;
  if (!Array.isArray(keys) || keys.length === 0) throw new TypeError('ed25519: keys has at least one key.');
  const read = keys.map(readKey);
  if (new Set(read.map(({ id }) => id)).size < read.length)
    throw new TypeError('ed25519: an id of a key is used twice.');
  const publicKeys = read.map(({ bytes }) => ed25519PublicKey(bytes));
  return {
    name: 'Ed25519',
    headers: standardHeaderNames,
    documents: standardDocuments('`v1a,` and Ed25519 in Base64; public keys at `/.well-known/webhook-keys.json`.'),
    isWeak: false,
    usesSecret: false,
    ...untilOf('ed25519', options),
    publicKeys: read.map(({ id, bytes }) => ({
      ...{ kty: 'OKP', crv: 'Ed25519', x: toBase64url(bytes), kid: id, alg: 'EdDSA', use: 'sig' },
    })),
    secretProblem: () => undefined,
    signer: () => {
      const active = (keys as readonly Ed25519Key[]).find(({ privateKey }) => privateKey !== undefined);
      if (!active?.privateKey) throw new TypeError('ed25519: a sender needs a privateKey.');
      const key = ed25519PrivateKey(active.privateKey);
      return (message, headers) => {
        const { messageId, at, body } = message;
        const signature = signEd25519(key, content(messageId, String(toSeconds(at)), body));
        addStandard(message, `v1a,${toBase64(signature)}`, headers);
      };
    },
    verifier: (_secrets, addressee) => {
      if (addressee.endpoints.length === 0)
        throw new TypeError(
          'ed25519: a receiver needs the option endpoints, the ids of its endpoints: one key signs for all partners.',
        );
      return (request, now) => {
        const { id, timestamp, signature } = readStandard(request);
        if (signature === undefined) return 'absent';
        if (isOfOthers(signature, 'v1a')) return 'other';
        if (!id || !timestamp || signature === '') return 'missing_signature';
        // Servers join repeated headers with a comma; a list of signatures has blanks only.
        if (signature.includes(', ') || !isUnambiguous(id) || !isTimely(timestamp, now)) return 'wrong_signature';
        const message = content(id, timestamp, request.body);
        const offered = signature
          .split(' ')
          .slice(0, 16)
          .flatMap((each) => (each.startsWith('v1a,') ? [readSignature(each.slice('v1a,'.length))] : []));
        const fits = offered.some((each) => each && publicKeys.some((key) => verifyEd25519(key, message, each)));
        if (!fits) return 'wrong_signature';
        return isAddressedTo(addressee, id) ? 'valid' : 'wrong_endpoint';
      };
    },
  };
};
