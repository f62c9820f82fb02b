/** The part of `node:crypto` that core computes with: declared here, so that core needs no types of Node.js. */
declare module 'node:crypto' {
  export interface KeyObject {
    readonly type: 'secret' | 'private' | 'public';
    readonly asymmetricKeyDetails?: { readonly modulusLength?: number; readonly publicExponent?: bigint };
    export(options: { readonly format: 'der'; readonly type: 'spki' }): Uint8Array;
    export(options: { readonly format: 'jwk' }): Readonly<Record<string, string>>;
  }
  interface Hmac {
    update(data: string | Uint8Array, encoding?: 'utf8'): Hmac;
    digest(encoding: 'hex' | 'base64' | 'base64url'): string;
  }
  interface Cipher {
    setAAD(data: Uint8Array): void;
    update(data: string | Uint8Array, encoding?: 'utf8'): Uint8Array;
    final(): Uint8Array;
  }
  interface GcmCipher extends Cipher {
    getAuthTag(): Uint8Array;
  }
  interface GcmDecipher extends Cipher {
    setAuthTag(tag: Uint8Array): void;
  }
  export function createSecretKey(key: Uint8Array): KeyObject;
  export function createHmac(algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512', key: KeyObject): Hmac;
  export function hash(
    algorithm: 'sha1' | 'sha256',
    data: string | Uint8Array,
    encoding: 'hex' | 'base64' | 'base64url' | 'binary',
  ): string;
  export function createPrivateKey(pem: string): KeyObject;
  export function createPublicKey(key: string | KeyObject): KeyObject;
  export function createPublicKey(key: { readonly key: object; readonly format: 'jwk' }): KeyObject;
  export function sign(algorithm: null, data: Uint8Array, key: KeyObject): Uint8Array;
  export function verify(algorithm: null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean;
  export function hkdfSync(
    digest: 'sha256',
    key: Uint8Array,
    salt: Uint8Array,
    info: string,
    length: number,
  ): ArrayBuffer;
  interface Ecdh {
    setPrivateKey(key: Uint8Array): void;
    getPublicKey(): Uint8Array;
  }
  export function createECDH(curve: 'prime256v1'): Ecdh;
  export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
  export function createCipheriv(
    algorithm: 'aes-256-gcm',
    key: KeyObject,
    iv: Uint8Array,
    options: { readonly authTagLength: number },
  ): GcmCipher;
  export function createDecipheriv(
    algorithm: 'aes-256-gcm',
    key: KeyObject,
    iv: Uint8Array,
    options: { readonly authTagLength: number },
  ): GcmDecipher;
}
