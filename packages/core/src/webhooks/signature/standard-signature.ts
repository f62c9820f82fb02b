import { hmacKey } from '../../base/crypto/hmac.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { toUtf8 } from '../../base/runtime/text.ts';
import { toSeconds } from '../../base/runtime/time.ts';
import {
  type Addressee,
  type SignatureOptions,
  type SignatureScheme,
  type SignedMessage,
  type SignedRequest,
  untilOf,
} from './signature-scheme.ts';
import {
  type StandardKey,
  type StandardRequest,
  standardHeaders,
  standardKey,
  verifyStandard,
} from './standard-webhooks.ts';

/** The headers of Standard Webhooks. */
export const standardHeaderNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** What the headers of Standard Webhooks contain. */
export const standardDocuments = (signature: string): SignatureScheme['documents'] => ({
  'webhook-id': {
    description: 'Standard Webhooks: the id of the event, `_` and the id of the endpoint; the same on every attempt.',
  },
  'webhook-timestamp': { description: 'Standard Webhooks: seconds since 1970.' },
  'webhook-signature': { description: `Standard Webhooks: ${signature}` },
});

/**
 * Options of {@link standardWebhooks}.
 * @public
 */
export interface StandardWebhooksOptions extends SignatureOptions {
  /**
   * The key: the Base64 part of the secret, decoded; or the UTF-8 bytes of the whole secret, as with `format: 'raw'` in
   * the libraries of Standard Webhooks. @defaultValue 'base64'
   */
  readonly key?: 'base64' | 'utf8';
}

const keyOf = (secret: string, key: 'base64' | 'utf8'): StandardKey =>
  key === 'utf8' ? { sha256: hmacKey(toUtf8(secret)) } : standardKey(secret);

/** A secret of another form verifies nothing. */
const keysOf = (secrets: readonly string[], key: 'base64' | 'utf8'): readonly StandardKey[] =>
  secrets.flatMap((secret) => {
    try {
      return [keyOf(secret, key)];
    } catch {
      return [];
    }
  });

/** Whether a `webhook-id` names an endpoint of a receiver that says which ones it has. */
export const isAddressedTo = ({ endpoints }: Pick<Addressee, 'endpoints'>, messageId: string | undefined): boolean =>
  endpoints.length === 0 || endpoints.some((endpoint) => messageId?.endsWith(`_${endpoint}`));

/** Adds signatures to those of another scheme of Standard Webhooks. */
export const addStandard = (
  { messageId, at }: Pick<SignedMessage, 'messageId' | 'at'>,
  signature: string,
  headers: Record<string, string>,
): void => {
  const others = headers['webhook-signature'];
  headers['webhook-id'] = messageId;
  headers['webhook-timestamp'] = String(toSeconds(at));
  headers['webhook-signature'] = others === undefined ? signature : `${others} ${signature}`;
};

export const readStandard = ({ header }: Pick<SignedRequest, 'header'>): StandardRequest => ({
  id: header('webhook-id'),
  timestamp: header('webhook-timestamp'),
  signature: header('webhook-signature'),
});

/** Whether a list of signatures has some, but none of a version: they belong to another scheme. */
export const isOfOthers = (signature: string | undefined, version: 'v1' | 'v1a'): boolean =>
  !!signature && signature.split(' ').every((each) => /^v\d+[a-z]?,/.test(each) && !each.startsWith(`${version},`));

/**
 * The headers of Standard Webhooks (version 1.0.0): HMAC-SHA-256 of id, timestamp and body. During a rotation it signs
 * with both secrets. `webhook-id` is the id of the event, `_` and the id of the endpoint.
 * @throws TypeError when an option is wrong.
 * @example
 * const signatures = [standardWebhooks(), specificationSignature({ until: Date.UTC(2027, 2, 1) })];
 * @public
 */
export const standardWebhooks = (options: StandardWebhooksOptions = {}): SignatureScheme => {
  assertOptionNames('standardWebhooks', options, { until: true, key: true });
  const { key = 'base64' } = options;
  if (key !== 'base64' && key !== 'utf8') throw new TypeError("standardWebhooks: key is 'base64' or 'utf8'.");
  return {
    name: 'Standard Webhooks',
    headers: standardHeaderNames,
    documents: standardDocuments('`v1,` and HMAC-SHA-256 in Base64.'),
    isWeak: false,
    usesSecret: true,
    ...untilOf('standardWebhooks', options),
    secretProblem: (secret) => {
      return keysOf([secret], key).length === 1 ? undefined : 'Standard Webhooks needs whsec_ and Base64.';
    },
    signer: (secrets) => {
      const keys = secrets.map((secret) => keyOf(secret, key));
      return (message, headers) => {
        const { messageId, at, body } = message;
        addStandard(message, standardHeaders(keys, messageId, toSeconds(at), body)['webhook-signature'], headers);
      };
    },
    verifier: (secrets, addressee) => {
      const keys = keysOf(secrets, key);
      return (request, now) => {
        const standard = readStandard(request);
        if (Object.values(standard).every((value) => value === undefined)) return 'absent';
        if (isOfOthers(standard.signature, 'v1')) return 'other';
        const verdict = verifyStandard(request.body, standard, keys, now);
        return verdict !== 'valid' || isAddressedTo(addressee, standard.id) ? verdict : 'wrong_endpoint';
      };
    },
  };
};
