import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { fromBase64, toBase64 } from '../runtime/base64.ts';
import type { Random } from '../runtime/random.ts';
import { fromUtf8, toUtf8 } from '../runtime/text.ts';

/**
 * A key that encrypts webhook secrets and values of delivery headers before they are stored (AES-256-GCM).
 * @public
 */
export interface SealingKey {
  /** 1 to 32 of `A-Z a-z 0-9 _ -`. Stored with the ciphertext, to find the key that opens it. */
  readonly id: string;
  /** 32 random bytes, stored outside the database. */
  readonly key: Uint8Array;
}

/**
 * Ciphertext of a webhook secret or the value of a delivery header; stores never see the clear text.
 * @public
 */
export type Sealed = string & {
  /** Exists only in the type: a plain string is not sealed. */
  readonly __sealed: unique symbol;
};

/**
 * The id of the key that sealed a value: its part after the first dot. Stores count by it.
 * @example
 * const keysOf = (sealed: readonly Sealed[]) => new Set(sealed.map(sealingKeyId));
 * @public
 */
export const sealingKeyId = (sealed: Sealed): string => sealed.split('.', 2)[1] ?? '';

/** The id of the secret from which a sealing key with this id was derived, if any. */
export const secretIdOf = (keyId: string): string | undefined => /^s_([\w-]{8})$/.exec(keyId)?.[1];

/** Whether a text has the form of a sealed value. */
export const isSealed = (text: unknown): boolean =>
  typeof text === 'string' && /^v1\.[A-Za-z0-9_-]{1,32}\.[A-Za-z0-9+/]{16}\.[A-Za-z0-9+/]{22,}={0,2}$/.test(text);

/** Seals with the first key and opens with any. A value opens only with the `context` it was sealed with. */
export interface Sealer {
  /** The id of the key that seals. */
  readonly activeKeyId: string;
  /** Seals a text for a context. */
  seal(clear: string, context: readonly string[]): Sealed;
  /** Opens a value. @throws Error when its key is missing, the value was changed, or the context differs. */
  open(sealed: Sealed, context: readonly string[]): string;
}

const tagLength = 16;
const associated = (context: readonly string[]): Uint8Array => toUtf8(JSON.stringify(context));

const refused = (keyId: string, cause: unknown): Error => {
  const secretId = secretIdOf(keyId);
  const problem =
    secretId === undefined
      ? `the key "${keyId}" of sealingKeys: it was sealed with another key of this id (compare SEALING_KEY of this ` +
        'process), or its row was changed in the database.'
      : `the secret ${secretId}: its row was changed in the database.`;
  return Object.assign(new Error(`A sealed value does not open with ${problem}`, { cause }), {
    code: 'sealed_value_refused',
  });
};

const missing = (keyId: string): Error => {
  const secretId = secretIdOf(keyId);
  return new Error(
    secretId === undefined
      ? `A value was sealed with the key "${keyId}", which is not among sealingKeys any more.`
      : `A value was sealed with the secret ${secretId}, which this process does not have: list it in secret.`,
  );
};

/**
 * AES-256-GCM with a random 96-bit nonce. Form: `v1.<key id>.<nonce>.<ciphertext and tag>`, in Base64.
 * @throws TypeError when a key is not 32 bytes long, or an id is wrong or used twice.
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
      cipher.final(); // GCM is a stream cipher: this returns no bytes
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
      if (!key) throw missing(id);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
      decipher.setAAD(associated(context));
      decipher.setAuthTag(body.subarray(-tagLength));
      const clear = decipher.update(body.subarray(0, -tagLength));
      try {
        decipher.final(); // throws unless the tag matches
      } catch (cause) {
        throw refused(id, cause);
      }
      return fromUtf8(clear) ?? '';
    },
  };
};
