/** Name and code of an error. The message is left out: it may quote secrets or payloads. @public */
export interface ErrorName {
  /** The `name` of the error; `Error` when it is not 1 to 64 of `A-Z a-z 0-9 _ . -`. */
  readonly name: string;
  /** The `code` of the error, such as `ECONNREFUSED`; absent when it is not 1 to 64 of these characters. */
  readonly code?: string;
}

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;

/** The name and code of an error, without its message. */
export const errorName = (cause: unknown): ErrorName => {
  const { name, code } = (cause ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const known = word(code);
  return { name: word(name) ?? 'Error', ...(known === undefined ? {} : { code: known }) };
};
