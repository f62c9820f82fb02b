/**
 * What a check of a signature found: it is valid, or how the secret, the signature or the body was changed, or that
 * nothing fits.
 * @internal
 */
export type Finding =
  | 'valid'
  | 'no-signature'
  | 'secret-blanks'
  | 'secret-part'
  | 'secret-decoded'
  | 'signature-form'
  | 'body-space'
  | 'body-lines'
  | 'body-parsed'
  | 'wrong';

/** A request to check. @internal */
export interface CheckedRequest {
  /** The value of `X-WEBHOOK-SIGNATURE`. */
  readonly signature: string;
  readonly body: string;
}

/** What may have been signed or sent, and what it says if it fits. */
type Variant<T> = readonly [value: T, finding?: Finding];

const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const keysOf = (secret: string): readonly Variant<Uint8Array<ArrayBuffer>>[] => {
  const trimmed = secret.trim().replace(/^(["'])(.*)\1$/, '$2');
  const part = trimmed.replace(/^whsec_/, '');
  const decoded = fromBase64(part);
  const all: readonly Variant<Uint8Array<ArrayBuffer>>[] = [
    [toBytes(secret)],
    [toBytes(trimmed), 'secret-blanks'],
    [toBytes(`whsec_${part}`), 'secret-part'],
    [toBytes(part), 'secret-part'],
    ...(decoded ? [[decoded, 'secret-decoded'] as const] : []),
  ];
  // With an empty key anyone could sign.
  return all.filter(([key]) => key.length > 0);
};

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const formsOf = (signature: string): readonly Variant<string>[] => {
  const bare = signature.trim().replace(/^sha1=/i, '');
  const decoded = fromBase64(bare);
  return [
    [signature],
    [bare.toLowerCase(), 'signature-form'],
    ...(decoded?.length === 20 ? [[hexOf(decoded), 'signature-form'] as const] : []),
  ];
};

const parsed = (body: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
};

/** The order of the fields that the platform writes. */
const ordered = (compact: string): string => {
  const value: unknown = JSON.parse(compact);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return compact;
  const { timestamp, data, objectName, type, ...rest } = value as Readonly<Record<string, unknown>>;
  return JSON.stringify({ timestamp, data, objectName, type, ...rest });
};

const bodiesOf = (body: string): readonly Variant<string>[] => {
  const compact = parsed(body);
  return [
    [body],
    [body.trim(), 'body-space'],
    [body.replace(/\r\n/g, '\n'), 'body-lines'],
    [body.replace(/\r?\n/g, '\r\n'), 'body-lines'],
    ...(compact === undefined
      ? []
      : ([
          [compact, 'body-parsed'],
          [ordered(compact), 'body-parsed'],
        ] as const)),
  ];
};

/**
 * Checks a signature in this page, and names the usual mistakes behind one that is wrong. Neither the secret nor the
 * request leaves the page.
 * @internal
 */
export const diagnose = async (secret: string, { signature, body }: CheckedRequest): Promise<readonly Finding[]> => {
  if (signature.trim() === '') return ['no-signature'];
  const forms = formsOf(signature);
  for (const [text, ofBody] of bodiesOf(body))
    for (const [bytes, ofKey] of keysOf(secret)) {
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
      const expected = hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(text))));
      const form = forms.find(([value]) => value === expected);
      if (!form) continue;
      const found = [ofBody, ofKey, form[1]].filter((finding) => finding !== undefined);
      return found.length > 0 ? found : ['valid'];
    }
  return ['wrong'];
};

/** The signature and the body of a request as text: headers, an empty line, the body. @internal */
export const readRequest = (text: string): CheckedRequest | undefined => {
  const request = text.trimStart();
  const gap = /\n\r?\n/.exec(request);
  if (!gap) return undefined;
  const [head, body] = [request.slice(0, gap.index), request.slice(gap.index + gap[0].length)];
  const line = head.split(/\r?\n/).find((each) => /^x-webhook-signature\s*:/i.test(each));
  return line === undefined ? undefined : { signature: line.slice(line.indexOf(':') + 1).trim(), body };
};
