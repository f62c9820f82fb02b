import type { Finding } from './finding.ts';
import type { CheckedRequest } from './read-request.ts';
import { type SignatureScheme, schemesOf, toBytes, type Variant } from './schemes.ts';

/** What was found about the signature of a header. */
export interface Checked {
  /** The name of the header. */
  readonly header: string;
  readonly findings: readonly Finding[];
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

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

const verifyHmac = async (
  { hash, keys, contents, offered }: SignatureScheme & { readonly kind: 'hmac' },
  body: string,
) => {
  for (const [text, ofBody] of bodiesOf(body))
    for (const [content, ofContent] of contents)
      for (const [bytes, ofKey] of keys) {
        const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']);
        const expected = hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(content(text)))));
        const form = offered.find(([value]) => value === expected);
        if (!form) continue;
        const found = [ofBody, ofContent, ofKey, form[1]].filter((finding) => finding !== undefined);
        return found.length > 0 ? found : (['valid'] as const);
      }
  return ['wrong'] as const;
};

const verifyPublic = async (
  { key: bytes, id, content, offered }: SignatureScheme & { readonly kind: 'public' },
  body: string,
  webhooks: readonly string[] | undefined,
): Promise<readonly Finding[]> => {
  if (!bytes) return ['public-key'];
  try {
    const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
    for (const [text, ofBody] of bodiesOf(body))
      for (const signature of offered)
        if (await crypto.subtle.verify('Ed25519', key, signature, toBytes(content(text)))) {
          // One key signs for all partners.
          if (webhooks?.every((webhook) => !id.endsWith(`_${webhook}`))) return ['endpoint'];
          return [ofBody ?? 'valid'];
        }
    return ['wrong'];
  } catch {
    // A browser without Ed25519.
    return ['public-key'];
  }
};

/**
 * Checks each signature of a request in this page, and names the usual mistakes behind one that is wrong. Neither the
 * secret nor the request leaves the page. `webhooks`: the ids of those of the account; `undefined`: not known.
 */
export const diagnose = async (
  secret: string,
  request: CheckedRequest,
  webhooks?: readonly string[],
): Promise<readonly Checked[]> => {
  const checked: Checked[] = [];
  for (const scheme of schemesOf(secret, request)) {
    const { header } = scheme;
    if (scheme.kind === 'unreadable') checked.push({ header, findings: [scheme.finding] });
    else if (scheme.kind === 'public')
      checked.push({ header, findings: await verifyPublic(scheme, request.body, webhooks) });
    else checked.push({ header, findings: await verifyHmac(scheme, request.body) });
  }
  return checked.length > 0 ? checked : [{ header: 'X-WEBHOOK-SIGNATURE', findings: ['no-signature'] }];
};
