import { equalInConstantTime } from '../../base/crypto/equal.ts';
import { type DigestEncoding, type HmacAlgorithm, type HmacKey, hmacDigest, hmacKey } from '../../base/crypto/hmac.ts';
import { fromBase64 } from '../../base/runtime/base64.ts';

import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { toUtf8 } from '../../base/runtime/text.ts';
import { second, toSeconds } from '../../base/runtime/time.ts';
import {
  type ContentPart,
  contentAround,
  contentProblem,
  type PrefixPart,
  prefixProblem,
  readPrefix,
  writePrefix,
} from './content.ts';
import { isHttpHeader, repeatedHeader } from './http-header.ts';
import { type SignatureOptions, type SignatureScheme, untilOf } from './signature-scheme.ts';
import { isTimely } from './standard-webhooks.ts';

/**
 * Options of {@link hmac}.
 * @public
 */
export interface HmacOptions extends SignatureOptions {
  /** The header of the signature. */
  readonly header: string;
  /** The hash. */
  readonly algorithm: HmacAlgorithm;
  /** How the digest is written; `hex-upper` is hex in capitals. */
  readonly encoding: DigestEncoding;
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
  /** The unit of the timestamp, in content and header. @defaultValue 'seconds' */
  readonly timestampUnit?: 'seconds' | 'milliseconds';
  /**
   * The key: the UTF-8 bytes of the whole secret, or the bytes that its Base64 or its hex digits stand for. A secret
   * that begins with `whsec_`, as new ones do, is Base64 behind that in either case. @defaultValue 'utf8'
   */
  readonly key?: 'utf8' | 'base64' | 'hex';
}

const names = {
  header: true,
  algorithm: true,
  encoding: true,
  content: true,
  prefix: true,
  idHeader: true,
  timestampHeader: true,
  timestampUnit: true,
  key: true,
  until: true,
} as const satisfies Record<keyof HmacOptions, true>;

const headerName = /^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,63}$/;

const algorithms = ['sha1', 'sha256', 'sha384', 'sha512'] as const satisfies HmacAlgorithm[];
const encodings = {
  ...{ hex: 'lower-case hex', 'hex-upper': 'upper-case hex', base64: 'Base64', base64url: 'Base64url' },
} as const satisfies Record<DigestEncoding, string>;
const units = {
  seconds: { ms: second, description: 'Seconds since 1970.' },
  milliseconds: { ms: 1, description: 'Milliseconds since 1970.' },
} as const;

/** Such as `a, b or c`. */
const listed = (names: readonly string[]): string =>
  names
    .map((name) => `'${name}'`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

const problemOf = (options: HmacOptions): string | undefined => {
  const { header, algorithm, encoding, idHeader, timestampHeader, timestampUnit = 'seconds', key = 'utf8' } = options;
  for (const [option, name] of Object.entries({ header, idHeader, timestampHeader }))
    if (name !== undefined && !(headerName.test(name) && !isHttpHeader(name)))
      return `${option} is a header name of 1 to 64 letters, digits and -, which HTTP does not use itself.`;
  if (header === undefined) return 'header is missing.';
  if (repeatedHeader([header, idHeader, timestampHeader].filter((name) => name !== undefined)) !== undefined)
    return 'header, idHeader and timestampHeader differ.';
  const sets = {
    algorithm: algorithms,
    encoding: Object.keys(encodings),
    timestampUnit: Object.keys(units),
    key: keys,
  };
  const values = { algorithm, encoding, timestampUnit, key } as const;
  const wrong = (Object.keys(sets) as (keyof typeof sets)[]).find(
    (name) => !sets[name].includes(values[name] as never),
  );
  return wrong && `${wrong} is ${listed(sets[wrong])}.`;
};

const parts = {
  id: 'the id of the event',
  timestamp: 'the timestamp',
  body: 'the exact body',
  url: 'the URL of the endpoint',
} as const;
const documentsOf = (
  { header, algorithm, encoding, key = 'utf8', idHeader, timestampHeader, timestampUnit = 'seconds' }: HmacOptions,
  content: readonly ContentPart[],
  prefix: readonly PrefixPart[],
): SignatureScheme['documents'] => {
  const signed = content.map((part) => (typeof part === 'object' ? `\`${part.text}\`` : parts[part])).join(', ');
  const by = { utf8: '', base64: 'the decoded Base64 of ', hex: 'the decoded hex digits of ' }[key];
  const after = prefix.length === 0 ? '' : `, after \`${writePrefix(prefix, '<timestamp>')}\``;
  const hash = algorithm.replace('sha', 'SHA-');
  return {
    [header]: {
      description: `HMAC-${hash} of ${signed}, keyed with ${by}the webhook secret, in ${encodings[encoding]}${after}.`,
    },
    ...(idHeader === undefined ? {} : { [idHeader]: { description: 'The id of the event.' } }),
    ...(timestampHeader === undefined ? {} : { [timestampHeader]: { description: units[timestampUnit].description } }),
  };
};

/** Its form as the HMAC of the body alone. */
const bodyHmacOf = (
  { algorithm, encoding, key = 'utf8' }: HmacOptions,
  content: readonly ContentPart[],
  prefix: readonly PrefixPart[],
): Pick<SignatureScheme, 'bodyHmac'> => {
  const isOfBody = content.length === 1 && !prefix.includes('timestamp');
  return isOfBody && encoding === 'hex' && key === 'utf8'
    ? { bodyHmac: { algorithm, prefix: writePrefix(prefix, '') } }
    : {};
};

const fromHex = (text: string): Uint8Array | undefined =>
  /^([0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from({ length: text.length / 2 }, (_, place) =>
        Number.parseInt(text.slice(2 * place, 2 * place + 2), 16),
      )
    : undefined;

/** The bytes that the text of a secret stands for; `undefined` when it stands for none. */
const decodedKey = (key: 'base64' | 'hex', secret: string): Uint8Array | undefined => {
  const isHex = key === 'hex' && !secret.startsWith('whsec_');
  const bytes = isHex ? fromHex(secret) : fromBase64(secret.replace(/^whsec_/, ''));
  return bytes && bytes.length > 0 ? bytes : undefined;
};
const keys = ['utf8', 'base64', 'hex'] as const;
const forms = { base64: 'Base64, after whsec_ or alone,', hex: 'an even number of hex digits' } as const;

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
  const { timestampUnit = 'seconds' } = options;
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
    return hmacKey((key === 'utf8' ? undefined : decodedKey(key, secret)) ?? toUtf8(secret));
  };
  const digestOf = (
    by: HmacKey,
    known: { readonly id: string; readonly timestamp: string; readonly url: string },
    body: string | Uint8Array,
  ): string => {
    const [before, after] = around(known);
    return hmacDigest(algorithm, encoding, by, [before, body, after]);
  };

  return {
    name: `HMAC in ${header}`,
    documents: documentsOf(options, content, prefix),
    headers: [header, ...[idHeader, timestampHeader].filter((name) => name !== undefined)],
    ...bodyHmacOf(options, content, prefix),
    isWeak: algorithm === 'sha1',
    usesSecret: true,
    ...untilOf('hmac', options),
    secretProblem: (secret) => (key === 'utf8' || decodedKey(key, secret) ? undefined : `${forms[key]} is needed.`),
    signer: ([secret]) => {
      const by = keyOf(secret);
      return ({ id, at, body, url }, headers) => {
        const timestamp = String(timestampUnit === 'seconds' ? toSeconds(at) : at);
        if (idHeader !== undefined) headers[idHeader] = id;
        if (timestampHeader !== undefined) headers[timestampHeader] = timestamp;
        headers[header] = writePrefix(prefix, timestamp) + digestOf(by, { id, timestamp, url }, body);
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
        if (has('timestamp') && !isTimely(timestamp, now, units[timestampUnit].ms)) return 'wrong_signature';
        const known = { id, timestamp: timestamp ?? '', url: url ?? '' };
        let matches = false;
        // Tries every key: the duration must not reveal which key matches.
        for (const by of keys) if (equalInConstantTime(begun.rest, digestOf(by, known, request.body))) matches = true;
        return matches ? 'valid' : 'wrong_signature';
      };
    },
  };
};
