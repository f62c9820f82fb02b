import { type EpochSeconds, second } from '../../base/runtime/time.ts';
import { type HeaderDocument, messageIdOf, type SignatureScheme } from '../../webhooks/signature/signature-scheme.ts';
import { standardWebhooks } from '../../webhooks/signature/standard-signature.ts';
import type { CheckedProfile } from '../../webhooks/signature/wire-profile.ts';
import type { JsonSchema } from './json-schema.ts';

const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The id of the endpoint of the examples. */
const exampleEndpoint = '019ab7c4-8f00-7000-8000-0000000000e1';

/** The event of an example. */
export interface WebhookExample {
  readonly id: string;
  readonly timestamp: EpochSeconds;
  readonly objectName: string;
  readonly type: string;
  readonly body: string;
}

type Examples = Readonly<Record<string, string>>;

/** What each header of an example contains. Keys of the platform itself sign no example: it would be a real event. */
const examplesOf = ({ signatures, headersOf }: CheckedProfile, example: WebhookExample): Examples => {
  const headers: Record<string, string> = { ...headersOf?.(example) };
  const { id, timestamp, body } = example;
  const message = {
    ...{ id, messageId: messageIdOf(id, exampleEndpoint), at: timestamp * second, body },
    url: 'https://partner.example/webhooks',
  };
  for (const { usesSecret, signer } of signatures) if (usesSecret) signer([exampleSecret])(message, headers);
  return headers;
};

const header = (name: string, { description, pattern }: HeaderDocument, isRequired: boolean, examples: Examples) => {
  const example = examples[name.toLowerCase()];
  const schema: JsonSchema = {
    type: 'string',
    ...(pattern === undefined ? {} : { pattern }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
  return { name, in: 'header', required: isRequired, description, schema };
};

const endOf = ({ until }: SignatureScheme): string =>
  until === undefined ? '' : ` Until ${new Date(until).toISOString().slice(0, 10)}.`;

/** The headers of several signatures, each once: Standard Webhooks and Ed25519 share theirs. */
const signatureHeaders = (signatures: readonly SignatureScheme[], examples: Examples) => {
  const found = new Map<string, HeaderDocument & { readonly isRequired: boolean }>();
  for (const scheme of signatures)
    for (const [name, { description, pattern }] of Object.entries(scheme.documents)) {
      const other = found.get(name);
      const more = `${description}${endOf(scheme)}`;
      const texts = other === undefined || other.description === more ? [more] : [other.description, more];
      const isRequired = other?.isRequired === true || scheme.until === undefined;
      found.set(name, { description: texts.join(' '), isRequired, ...(pattern === undefined ? {} : { pattern }) });
    }
  return [...found].map(([name, document]) => {
    const { isRequired } = document;
    // What is not sent for ever is deprecated.
    return { ...header(name, document, isRequired, examples), ...(isRequired ? {} : { deprecated: true }) };
  });
};

/** The headers of a webhook, as parameters of OpenAPI. */
export const webhookHeaders = (profile: CheckedProfile, example: WebhookExample | undefined) => {
  const { signatures, headerNames } = profile;
  const examples = example ? examplesOf(profile, example) : {};
  const signed = signatureHeaders(signatures, examples);
  const note = ` The example is signed with the secret \`${exampleSecret}\`.`;
  const isSigned = ({ schema }: (typeof signed)[number]): boolean => schema['examples'] !== undefined;
  const named = new Set(signed.map(({ name }) => name.toLowerCase()));
  // An endpoint may add Standard Webhooks to its profile.
  const added = named.has('webhook-signature') ? [] : signatureHeaders([standardWebhooks()], {});
  return [
    ...signed.map((each) => (isSigned(each) ? { ...each, description: `${each.description}${note}` } : each)),
    header('User-Agent', { description: 'The platform.' }, false, {}),
    ...headerNames
      .filter((name) => !named.has(name))
      .map((name) => header(name, { description: 'Set by the platform, and not signed.' }, true, examples)),
    ...added.map((each) => ({ ...each, required: false })),
  ];
};
