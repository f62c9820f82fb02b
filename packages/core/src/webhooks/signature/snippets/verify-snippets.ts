import type { SignatureScheme } from '../signature-scheme.ts';
import type { Snippet } from './snippet.ts';
import { specificationSnippets } from './specification-snippets.ts';

/** Code that verifies a signature, in the languages of receivers. Empty: there is none for this scheme. @internal */
export const verifySnippetsOf = ({ name }: SignatureScheme): readonly Snippet[] =>
  name === 'specification' ? specificationSnippets : [];
