import type { Finding } from './finding.ts';
import type { CheckedRequest } from './read-request.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** What may have been signed or sent, and what it says if it fits. */
export type Variant<T> = readonly [value: T, finding?: Finding];

/** Writes the signed text of a body. */
type Content = (body: string) => string;

/** How a signature of a request is checked. */
export type SignatureScheme = { readonly header: string } & (
  | {
      readonly kind: 'hmac';
      readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
      readonly keys: readonly Variant<Bytes>[];
      readonly contents: readonly Variant<Content>[];
      /** The signatures, in hex. */
      readonly offered: readonly Variant<string>[];
    }
  | {
      readonly kind: 'public';
      readonly key: Bytes | undefined;
      /** The id of the message, which ends with the id of the webhook that it is for. */
      readonly id: string;
      readonly content: Content;
      readonly offered: readonly Bytes[];
    }
  | { readonly kind: 'unreadable'; readonly finding: Finding }
);

export const toBytes = (text: string): Bytes => Uint8Array.from(new TextEncoder().encode(text));

const fromBase64 = (text: string): Bytes | undefined => {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const bare = (secret: string): string => secret.trim().replace(/^(["'])(.*)\1$/, '$2');
const partOf = (secret: string): string => bare(secret).replace(/^whsec_/, '');
const usable = (keys: readonly Variant<Bytes | undefined>[]): readonly Variant<Bytes>[] =>
  // With an empty key anyone could sign.
  keys.filter((each): each is Variant<Bytes> => each[0] !== undefined && each[0].length > 0);

/** The key is the whole secret as text. */
const textKeys = (secret: string): readonly Variant<Bytes>[] =>
  usable([
    [toBytes(secret)],
    [toBytes(bare(secret)), 'secret-blanks'],
    [toBytes(`whsec_${partOf(secret)}`), 'secret-part'],
    [toBytes(partOf(secret)), 'secret-part'],
    [fromBase64(partOf(secret)), 'secret-decoded'],
  ]);

/** The key is what the secret is the Base64 of, as Standard Webhooks has it. */
const decodedKeys = (secret: string): readonly Variant<Bytes>[] => {
  const decoded = fromBase64(partOf(secret));
  return usable([
    [secret === bare(secret) && secret.startsWith('whsec_') ? decoded : undefined],
    [decoded, bare(secret).startsWith('whsec_') ? 'secret-blanks' : 'secret-part'],
    [toBytes(secret), 'secret-text'],
    [toBytes(bare(secret)), 'secret-text'],
    [toBytes(partOf(secret)), 'secret-text'],
  ]);
};

/** A signature as it may be written: in hex, in capitals, in Base64. */
const formsOf = (signature: string, isHex: boolean): readonly Variant<string>[] => {
  const hex = /^[0-9a-f]+$/i.test(signature) ? signature : undefined;
  const decoded = hex === undefined ? fromBase64(signature) : undefined;
  const changed = 'signature-form' as const;
  if (decoded) return [isHex ? [hexOf(decoded), changed] : [hexOf(decoded)]];
  if (hex === undefined) return [];
  return isHex ? [[hex], [hex.toLowerCase(), changed]] : [[hex.toLowerCase(), changed]];
};

const body: Content = (text) => text;

const isTime = (text: string | undefined): text is string => text !== undefined && /^(0|[1-9]\d*)$/.test(text);
/** Maximum number of signatures of a list that a receiver reads. */
const maxSignatures = 16;

const specification = (header: string, secret: string, value: string): SignatureScheme => {
  const trimmed = value.trim();
  const unprefixed = trimmed.replace(/^sha1=/i, '');
  const forms = formsOf(unprefixed, true);
  const offered = unprefixed === value ? forms : forms.map(([form]) => [form.toLowerCase(), 'signature-form'] as const);
  return { kind: 'hmac', header, hash: 'SHA-1', keys: textKeys(secret), contents: [[body]], offered };
};

const standard = (
  header: string,
  secret: string,
  value: string,
  headers: CheckedRequest['headers'],
): SignatureScheme => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  if (!id || !isTime(timestamp)) return { kind: 'unreadable', header, finding: 'headers-missing' };
  const content: Content = (text) => `${id}.${timestamp}.${text}`;
  const tokens = value.split(' ').slice(0, maxSignatures);
  if (value.includes(', ')) return { kind: 'unreadable', header, finding: 'signature-form' };
  const ofVersion = (version: string): readonly string[] =>
    tokens.flatMap((token) => (token.startsWith(`${version},`) ? [token.slice(version.length + 1)] : []));
  const [shared, own] = [ofVersion('v1'), ofVersion('v1a')];
  // A request may have both: the secret tells which one is meant.
  if (own.length > 0 && (shared.length === 0 || !bare(secret).startsWith('whsec_'))) {
    const key = fromBase64(bare(secret).replace(/^whpk_/, ''));
    const offered = own.flatMap((each) => (each.length % 4 === 0 ? (fromBase64(each) ?? []) : []));
    return { kind: 'public', header, key: key?.length === 32 ? key : undefined, id, content, offered };
  }
  const offered =
    shared.length > 0
      ? shared.flatMap((each) => formsOf(each, false))
      : tokens.flatMap((each) => formsOf(each, false).map(([form]) => [form, 'signature-form'] as const));
  const contents = [[content], [body, 'content-body']] as const;
  return { kind: 'hmac', header, hash: 'SHA-256', keys: decodedKeys(secret), contents, offered };
};

const hashes = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' } as const;
const hashOfLength: Readonly<Record<number, keyof typeof hashes>> = {
  40: 'sha1',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
};

/** A signature as another platform writes it: `sha256=…`, `t=…,v1=…`, or the digest alone. */
const other = (header: string, secret: string, value: string): SignatureScheme => {
  const keys = textKeys(secret);
  const [time = '', ...parts] = value.trim().split(',');
  const at = /^t=(0|[1-9]\d*)$/i.exec(time)?.[1];
  const timed = parts.flatMap((part) => /^v1=([0-9a-f]+)$/i.exec(part)?.[1] ?? []);
  // Receivers take no list of them.
  const [only] = timed.length === 1 ? timed : [];
  if (at !== undefined && only !== undefined) {
    const contents = [[(text: string) => `${at}.${text}`], [body, 'content-body']] as const;
    return { kind: 'hmac', header, hash: 'SHA-256', keys, contents, offered: formsOf(only, true) };
  }
  const [, named, digest = ''] = /^(?:(sha1|sha256|sha384|sha512)=)?(.*)$/.exec(value.trim()) ?? [];
  const isHex = /^[0-9a-f]+$/i.test(digest);
  const offered = formsOf(digest, isHex);
  const name = (named as keyof typeof hashes | undefined) ?? hashOfLength[offered[0]?.[0].length ?? 0];
  if (name === undefined || offered.length === 0) return { kind: 'unreadable', header, finding: 'signature-form' };
  return { kind: 'hmac', header, hash: hashes[name], keys, contents: [[body]], offered };
};

/** How each signature of a request is checked. */
export const schemesOf = (secret: string, { headers }: CheckedRequest): readonly SignatureScheme[] =>
  Object.entries(headers)
    .filter(([name, value]) => name.includes('signature') && value.trim() !== '')
    .map(([name, value]) => {
      if (name === 'x-webhook-signature') return specification('X-WEBHOOK-SIGNATURE', secret, value);
      if (name === 'webhook-signature') return standard(name, secret, value, headers);
      return other(name, secret, value);
    });
