/** A failure that the user can repair: its message says how. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exitCode: number = 1;
}

export const isCliError = (cause: unknown): cause is CliError => 'exitCode' in Object(cause);

/** A wrong command line: exit code 2. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';
  override readonly exitCode = 2;
}

/** What a module of the platform threw: an error, or anything else. */
export const messageOf = (cause: unknown): string => {
  const { message } = (cause ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : String(cause);
};

const codeOf = (cause: unknown): string | undefined => {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
};

const connectionRemedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the receiver, or correct the port.',
  ENOTFOUND: 'the host has no address. Correct its name.',
  EAI_AGAIN: 'the host has no address. Correct its name, or connect to a network.',
  ECONNRESET: 'it closed the connection. A server without TLS does so when it is called with https.',
  EPROTO: 'it does not speak TLS. Use http, or serve HTTPS.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS. Use http, or serve HTTPS.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS. Use http, or serve HTTPS.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted. Name the certificate with --ca.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted. Name the certificate of the authority with --ca.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted. Name the certificate of the authority with --ca.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
};

/** What a failed connection means. */
export const connectionError = (url: string, cause: unknown): CliError => {
  // Node.js tries the addresses of a name in turn, and reports them together.
  const first: unknown = (cause as Partial<AggregateError> | undefined)?.errors?.[0] ?? cause;
  const code = codeOf(cause) ?? codeOf(first) ?? '';
  return new CliError(`Cannot reach ${url}: ${connectionRemedies[code] ?? `${String(first)}.`}`);
};

/** What a file or folder that cannot be written means. */
export const writeError = (path: string, cause: unknown): CliError =>
  new CliError(`Cannot write ${path}: ${codeOf(cause) ?? String(cause)}.`);

/** What a file that cannot be read means. */
export const fileError = (path: string, cause: unknown): CliError => {
  const code = codeOf(cause);
  if (code === 'ENOENT') return new CliError(`${path} does not exist.`);
  if (code === 'EISDIR') return new CliError(`${path} is a folder. Name a file.`);
  return new CliError(`Cannot read ${path}: ${code ?? String(cause)}.`);
};
