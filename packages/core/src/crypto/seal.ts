import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { fromBase64, toBase64 } from '../runtime/base64.ts';
import type { Random } from '../runtime/random.ts';
import { fromUtf8, toUtf8 } from '../runtime/text.ts';

/**
 * A key that seals webhook secrets and API-key values before they are stored.
 * @public
 */
export interface SealingKey {
  /** 1 to 32 of `A-Z a-z 0-9 _ -`; written beside the ciphertext, so that older keys can still open what they sealed. */
  readonly id: string;
  /** 32 random bytes, kept outside the database. */
  readonly key: Uint8Array;
}

/**
 * Ciphertext: the only form of a webhook secret or an API-key value that a store sees.
 * @public
 */
export type Sealed = string & { readonly __sealed: unique symbol };

/**
 * The id of the key that a value was sealed with: the part after the first dot. For stores, which count by it.
 * @public
 */
export const sealingKeyId = (sealed: Sealed): string => sealed.split('.', 2)[1] ?? '';

/** Seals with the first key, opens with any. `context` names where the value belongs: moved elsewhere, it does not open. @internal */
export interface Sealer {
  /** The key that seals. */
  readonly activeKeyId: string;
  seal(clear: string, context: readonly string[]): Sealed;
  /** @throws Error when the key is gone, the text was changed, or it was sealed for another context. */
  open(sealed: Sealed, context: readonly string[]): string;
}

const tagLength = 16;
const associated = (context: readonly string[]): Uint8Array => toUtf8(JSON.stringify(context));

const refused = (cause: unknown): Error =>
  Object.assign(
    new Error(
      'A sealed value does not open: it was changed in the store, or sealed for another owner, URL or header.',
      {
        cause,
      },
    ),
    { code: 'sealed_value_refused' },
  );

/**
 * AES-256-GCM with a random 96-bit nonce. Text form: `v1.<key id>.<nonce>.<ciphertext and tag>`, Base64.
 * @throws TypeError when a key has another length, or an id is wrong or used twice.
 * @internal
 */
export const createSealer = (keys: readonly SealingKey[], random: Random): Sealer => {
  const ring = new Map<string, KeyObject>();
  for (const { id, key } of keys) {
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) throw new TypeError('sealingKeys: an id takes 1 to 32 of A-Z a-z 0-9 _ -.');
    if (ring.has(id)) throw new TypeError(`sealingKeys: the id "${id}" is used twice.`);
    if (key.length !== 32) throw new TypeError(`sealingKeys: the key "${id}" has ${key.length} bytes; 32 are needed.`);
    ring.set(id, createSecretKey(key));
  }
  const active = keys[0];
  if (!active) throw new TypeError('sealingKeys: at least one key is needed.');
  const activeKey = ring.get(active.id) as KeyObject;

  return {
    activeKeyId: active.id,
    seal: (clear, context) => {
      const nonce = random.bytes(12);
      const cipher = createCipheriv('aes-256-gcm', activeKey, nonce, { authTagLength: tagLength });
      cipher.setAAD(associated(context));
      const body = cipher.update(clear, 'utf8');
      cipher.final(); // GCM is a stream: nothing is left to add
      const sealed = new Uint8Array(body.length + tagLength);
      sealed.set(body);
      sealed.set(cipher.getAuthTag(), body.length);
      return `v1.${active.id}.${toBase64(nonce)}.${toBase64(sealed)}` as Sealed;
    },
    open: (sealed, context) => {
      const [version, id = '', nonceText = '', bodyText = ''] = sealed.split('.');
      const key = ring.get(id);
      const nonce = fromBase64(nonceText);
      const body = fromBase64(bodyText);
      if (version !== 'v1' || nonce?.length !== 12 || !body || body.length < tagLength) {
        throw new Error('A sealed value was damaged in the store.');
      }
      if (!key) throw new Error(`A value was sealed with the key "${id}", which is not among sealingKeys any more.`);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
      decipher.setAAD(associated(context));
      decipher.setAuthTag(body.subarray(-tagLength));
      const clear = decipher.update(body.subarray(0, -tagLength));
      try {
        decipher.final(); // throws unless the tag holds
      } catch (cause) {
        throw refused(cause);
      }
      return fromUtf8(clear) ?? '';
    },
  };
};
