import { equalInConstantTime } from '../crypto/equal.ts';
import { type HmacKey, hmacDigest, hmacKey } from '../crypto/hmac.ts';
import { fromBase64 } from '../runtime/base64.ts';
import { assertOptionNames } from '../runtime/option-names.ts';
import { toUtf8 } from '../runtime/text.ts';
import {
  type ContentPart,
  contentAround,
  contentProblem,
  type PrefixPart,
  prefixProblem,
  readPrefix,
  writePrefix,
} from './content.ts';
import { isHttpHeader } from './http-header.ts';
import { type SignatureOptions, type SignatureScheme, type SignedMessage, untilOf } from './signature-scheme.ts';
import { isTimely } from './standard-webhooks.ts';

/**
 * Options of {@link hmac}.
 * @public
 */
export interface HmacOptions extends SignatureOptions {
  /** The header of the signature. */
  readonly header: string;
  /** The hash. */
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  /** How the digest is written. */
  readonly encoding: 'hex' | 'base64' | 'base64url';
  /**
   * What is signed, in order; with `body` once. Between `id` or `timestamp` and a neighbour stands a text that neither
   * contains, such as `{ text: '.' }`. @defaultValue the body alone
   */
  readonly content?: readonly ContentPart[];
  /** What stands before the digest in the header. @defaultValue nothing */
  readonly prefix?: string | readonly PrefixPart[];
  /** The header with the id of the event; needed for `id` in `content`. @defaultValue none */
  readonly idHeader?: string;
  /** The header with the timestamp; needed for `timestamp` in `content`, unless `prefix` has it. @defaultValue none */
  readonly timestampHeader?: string;
  /** The key: the UTF-8 bytes of the whole secret, or its Base64 part decoded. @defaultValue 'utf8' */
  readonly key?: 'utf8' | 'base64';
}

const names = {
  header: true,
  algorithm: true,
  encoding: true,
  content: true,
  prefix: true,
  idHeader: true,
  timestampHeader: true,
  key: true,
  until: true,
} as const satisfies Record<keyof HmacOptions, true>;

const headerName = /^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,63}$/;

const problemOf = ({ header, algorithm, encoding, idHeader, timestampHeader, key = 'utf8' }: HmacOptions) => {
  for (const [option, name] of Object.entries({ header, idHeader, timestampHeader }))
    if (name !== undefined && !(headerName.test(name) && !isHttpHeader(name)))
      return `${option} is a header name of 1 to 64 letters, digits and -, which HTTP does not use itself.`;
  const used = [header, idHeader, timestampHeader].flatMap((name) => name?.toLowerCase() ?? []);
  if (header === undefined) return 'header is missing.';
  if (new Set(used).size < used.length) return 'header, idHeader and timestampHeader differ.';
  if (!['sha1', 'sha256', 'sha512'].includes(algorithm)) return "algorithm is 'sha1', 'sha256' or 'sha512'.";
  if (!['hex', 'base64', 'base64url'].includes(encoding)) return "encoding is 'hex', 'base64' or 'base64url'.";
  return ['utf8', 'base64'].includes(key) ? undefined : "key is 'utf8' or 'base64'.";
};

const parts = {
  id: 'the id of the event',
  timestamp: 'the timestamp',
  body: 'the exact body',
  url: 'the URL of the endpoint',
} as const;
const encodings = { hex: 'lower-case hex', base64: 'Base64', base64url: 'Base64url' } as const;

const documentsOf = (
  { header, algorithm, encoding, key, idHeader, timestampHeader }: HmacOptions,
  content: readonly ContentPart[],
  prefix: readonly PrefixPart[],
): SignatureScheme['documents'] => {
  const signed = content.map((part) => (typeof part === 'object' ? `\`${part.text}\`` : parts[part])).join(', ');
  const by = key === 'base64' ? 'the decoded Base64 of the webhook secret' : 'the webhook secret';
  const after = prefix.length === 0 ? '' : `, after \`${writePrefix(prefix, '<timestamp>')}\``;
  const hash = algorithm.replace('sha', 'SHA-');
  return {
    [header]: { description: `HMAC-${hash} of ${signed}, keyed with ${by}, in ${encodings[encoding]}${after}.` },
    ...(idHeader === undefined ? {} : { [idHeader]: { description: 'The id of the event.' } }),
    ...(timestampHeader === undefined ? {} : { [timestampHeader]: { description: 'Seconds since 1970.' } }),
  };
};

const base64Key = (secret: string): Uint8Array | undefined => {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  return bytes && bytes.length > 0 ? bytes : undefined;
};

/**
 * A signature by HMAC (RFC 2104) in a header of its own, as a platform may have sent it before. It is made anew for
 * each attempt.
 * @example
 * // As GitHub signs: X-Hub-Signature-256: sha256=…
 * hmac({ header: 'X-Hub-Signature-256', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' });
 * @example
 * // As Stripe signs: Stripe-Signature: t=1732147200,v1=…
 * hmac({
 *   header: 'Stripe-Signature',
 *   algorithm: 'sha256',
 *   encoding: 'hex',
 *   content: ['timestamp', { text: '.' }, 'body'],
 *   prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
 * });
 * @throws TypeError when an option is wrong, or when one signature would fit two different requests.
 * @public
 */
export const hmac = (options: HmacOptions): SignatureScheme => {
  assertOptionNames('hmac', options, names);
  const { algorithm, encoding, content = ['body'] as const, prefix: begins = [], key = 'utf8' } = options;
  const prefix: readonly PrefixPart[] = typeof begins !== 'string' ? begins : begins === '' ? [] : [{ text: begins }];
  const has = (part: ContentPart & string): boolean => content.includes(part);
  const wrong =
    problemOf(options) ??
    contentProblem(content) ??
    prefixProblem(prefix) ??
    (has('id') && options.idHeader === undefined ? "idHeader is needed for 'id'." : undefined) ??
    (has('timestamp') && options.timestampHeader === undefined && !prefix.includes('timestamp')
      ? "timestampHeader, or 'timestamp' in prefix, is needed for 'timestamp'."
      : undefined) ??
    (!has('timestamp') && (options.timestampHeader !== undefined || prefix.includes('timestamp'))
      ? "content contains 'timestamp' when a header has it: anyone could change it otherwise."
      : undefined) ??
    (!has('id') && options.idHeader !== undefined
      ? "content contains 'id' when a header has it; the option headers sends an id that is not signed."
      : undefined);
  if (wrong !== undefined) throw new TypeError(`hmac: ${wrong}`);

  const header = options.header.toLowerCase();
  const idHeader = options.idHeader?.toLowerCase();
  const timestampHeader = options.timestampHeader?.toLowerCase();
  const around = contentAround(content);
  const keyOf = (secret: string): HmacKey => {
    if (typeof secret !== 'string' || secret === '') throw new TypeError('A webhook secret must not be empty.');
    return hmacKey((key === 'base64' ? base64Key(secret) : undefined) ?? toUtf8(secret));
  };
  const digestOf = (
    by: HmacKey,
    known: Pick<SignedMessage, 'id' | 'timestamp' | 'url'>,
    body: string | Uint8Array,
  ): string => {
    const [before, after] = around(known);
    return hmacDigest(algorithm, encoding, by, [before, body, after]);
  };

  return {
    name: `HMAC in ${header}`,
    documents: documentsOf(options, content, prefix),
    headers: [header, ...[idHeader, timestampHeader].filter((name) => name !== undefined)],
    isWeak: algorithm === 'sha1',
    usesSecret: true,
    ...untilOf('hmac', options),
    secretProblem: (secret) =>
      key === 'base64' && !base64Key(secret) ? 'Base64, after whsec_ or alone, is needed.' : undefined,
    signer: ([secret]) => {
      const by = keyOf(secret);
      return ({ body, ...known }, headers) => {
        if (idHeader !== undefined) headers[idHeader] = known.id;
        if (timestampHeader !== undefined) headers[timestampHeader] = String(known.timestamp);
        headers[header] = writePrefix(prefix, known.timestamp) + digestOf(by, known, body);
      };
    },
    verifier: (secrets, { url }) => {
      if (has('url') && url === undefined)
        throw new TypeError("hmac: a receiver needs the option url, the URL of the endpoint, for 'url' in content.");
      const keys = secrets.map(keyOf);
      return (request, now) => {
        const value = request.header(header);
        if (value === undefined) return 'absent';
        if (value === '') return 'missing_signature';
        const begun = readPrefix(prefix, value);
        const id = idHeader === undefined ? '' : (request.header(idHeader) ?? '');
        const timestamp = timestampHeader === undefined ? begun?.timestamp : request.header(timestampHeader);
        if (!begun || (idHeader !== undefined && !/^[A-Za-z0-9_-]{1,128}$/.test(id))) return 'wrong_signature';
        if (begun.timestamp !== undefined && begun.timestamp !== timestamp) return 'wrong_signature';
        if (has('timestamp') && !isTimely(timestamp, now)) return 'wrong_signature';
        const known = { id, timestamp: Number(timestamp ?? 0), url: url ?? '' };
        let matches = false;
        // Tries every key: the duration must not reveal which key matches.
        for (const by of keys) if (equalInConstantTime(begun.rest, digestOf(by, known, request.body))) matches = true;
        return matches ? 'valid' : 'wrong_signature';
      };
    },
  };
};
