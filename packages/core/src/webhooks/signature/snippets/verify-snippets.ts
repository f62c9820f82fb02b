import type { SignatureScheme } from '../signature-scheme.ts';
import { bodySnippets } from './body-snippets.ts';
import type { Snippet } from './snippet.ts';
import { standardSnippets } from './standard-snippets.ts';

/** What quotes of no language end or interpret. */
const plain = /^[A-Za-z0-9=:._-]*$/;

/** Code that verifies a signature, in the languages of receivers. Empty: there is none for this scheme. @internal */
export const verifySnippetsOf = ({ bodyHmac, name, usesSecret }: SignatureScheme): readonly Snippet[] => {
  if (bodyHmac) return plain.test(bodyHmac.prefix) ? bodySnippets(bodyHmac) : [];
  return name === 'Standard Webhooks' && usesSecret ? standardSnippets : [];
};

/** Code that verifies `X-WEBHOOK-SIGNATURE`. A function: bundles that do not call it leave it out. @internal */
export const specificationSnippets = (): readonly Snippet[] => bodySnippets({ algorithm: 'sha1', prefix: '' });
