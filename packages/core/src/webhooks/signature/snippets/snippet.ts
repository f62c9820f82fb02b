/** Code of a receiver that verifies a signature, in one language. */
export interface Snippet {
  /** The name of the language. */
  readonly language: string;
  readonly code: string;
}
