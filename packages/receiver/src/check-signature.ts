import type { HttpHeaders } from '@partnerkit/core';
import type { Clock } from '@partnerkit/core/adapter';
import {
  type Addressee,
  hasEnded,
  type SignatureFailure,
  type SignatureScheme,
  specificationEnvelope,
  specificationSignature,
  standardWebhooks,
  type WebhookEnvelope,
} from '@partnerkit/core/wire';

/**
 * How the requests of a sender look, as in the option `webhooks` of a kit.
 * @public
 */
export interface ReceiverProfile {
  /** The form of the body; it needs `read`. @defaultValue specificationEnvelope() */
  readonly envelope?: WebhookEnvelope;
  /** The signatures that are accepted. @defaultValue [specificationSignature(), standardWebhooks()] */
  readonly signatures?: readonly SignatureScheme[];
}

/**
 * The value of a header. A repeated header is joined with a comma, as most servers do, so that each server gives the
 * same result.
 */
export const headerText = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  if (typeof value === 'string') return value;
  // An inherited property is not a header.
  return Array.isArray(value) ? value.join(', ') : undefined;
};

/** What a receiver verifies with. */
export interface SignatureCheckOptions {
  readonly secrets: readonly string[];
  readonly profiles: readonly ReceiverProfile[];
  readonly clock: Clock;
  readonly standardOnly: boolean;
  readonly addressee: Addressee;
}

/** The envelopes that the signatures of a request belong to, or why it is refused. */
export type SignatureCheck = readonly WebhookEnvelope[] | 'wrong_endpoint' | SignatureFailure;

const specified = [specificationSignature(), standardWebhooks()];

const readProfile = ({ envelope = specificationEnvelope(), signatures = specified }: ReceiverProfile) => {
  if (!envelope.read) throw new TypeError(`profiles: the envelope ${envelope.name} needs read.`);
  if (signatures.length === 0) throw new TypeError('profiles: signatures needs at least one.');
  return { envelope, signatures };
};

/** Callers pass variables of the environment, which may not be set. A value is not quoted: it may be a secret. */
const assertTexts = (option: string, what: string, texts: unknown, pattern: RegExp): void => {
  if (!Array.isArray(texts)) throw new TypeError(`${option} must be a list of ${what}.`);
  for (const [place, text] of texts.entries()) {
    if (typeof text === 'string' && pattern.test(text)) continue;
    const found = text === '' ? 'empty' : text === null ? 'null' : typeof text === 'string' ? 'malformed' : typeof text;
    throw new TypeError(`${option}[${place}] is ${found}: ${option} must be a list of ${what}.`);
  }
};

/**
 * Makes the check of all signatures. At least one must be present, and every one present must be valid: a valid SHA-1
 * signature does not excuse a wrong SHA-256 one. With `standardOnly`, that of Standard Webhooks must be present.
 * @throws TypeError when a secret or the id of an endpoint is missing or malformed, or a profile is wrong.
 */
export const createSignatureCheck = ({ secrets, profiles, clock, standardOnly, addressee }: SignatureCheckOptions) => {
  if (profiles.length === 0) throw new TypeError('profiles: at least one profile is needed.');
  assertTexts('secrets', 'webhook secrets', secrets, /./s);
  assertTexts('endpoints', 'ids of endpoints, UUIDs in lower case', addressee.endpoints, /^[0-9a-f-]{36}$/);
  const read = profiles.map(readProfile);
  const usesSecret = read.some(({ signatures }) => signatures.some((scheme) => scheme.usesSecret));
  if (usesSecret && secrets.length === 0) throw new TypeError('secrets: at least one webhook secret is needed.');
  const checks = read.flatMap(({ envelope, signatures }) =>
    signatures.map((scheme) => ({ envelope, scheme, verify: scheme.verifier(secrets, addressee) })),
  );

  return (headers: HttpHeaders, body: Uint8Array): SignatureCheck => {
    const request = { header: (name: string) => headerText(headers, name), body };
    const now = clock.now();
    const envelopes = new Set<WebhookEnvelope>();
    const [valid, unread] = [new Set<string>(), new Set<string>()];
    for (const { envelope, scheme, verify } of checks) {
      if (hasEnded(scheme, now)) continue;
      const verdict = verify(request, now);
      if (verdict === 'missing_signature' || verdict === 'wrong_signature' || verdict === 'wrong_endpoint')
        return verdict;
      if (verdict === 'valid') {
        envelopes.add(envelope);
        for (const header of scheme.headers) valid.add(header);
      }
      if (verdict === 'other') for (const header of scheme.headers) unread.add(header);
    }
    if ([...unread].some((header) => !valid.has(header))) return 'wrong_signature';
    if (envelopes.size === 0 || (standardOnly && !valid.has('webhook-signature'))) return 'missing_signature';
    return [...envelopes];
  };
};
