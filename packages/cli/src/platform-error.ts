import { CliError } from './cli-error.ts';

/** What is read of a `PartnerApiError`. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly problem?: {
    readonly resumeAfter?: string;
    readonly errors?: readonly { readonly pointer?: string; readonly detail: string }[];
  };
}

const refusalOf = (cause: unknown): Refusal | undefined => {
  const { status, code } = Object(cause) as Partial<Refusal>;
  return typeof status === 'number' && typeof code === 'string' ? (cause as Refusal) : undefined;
};

export const codeOf = (cause: unknown): string | undefined => refusalOf(cause)?.code;

/** The cursor with which to continue, of a refusal that has one. */
export const resumeAfterOf = (cause: unknown): string | undefined => refusalOf(cause)?.problem?.resumeAfter;

const remedies: Readonly<Record<string, string>> = {
  invalid_client: 'It refused the API key. Set CLIENT_ID and CLIENT_SECRET to those of a key that is in use.',
  not_found:
    'The account or the endpoint is unknown or out of reach, or the platform does not let API keys read webhooks. ' +
    'Correct --account and --endpoint, or ask the platform for webhooks by key (its option api.webhooks).',
  unexpected_answer: 'That is no answer of a partner API. Correct --api: it ends with the base path.',
  wrong_kind: 'Events are sent to this endpoint. Name a pull endpoint, or leave --endpoint out.',
  endpoint_disabled: 'The endpoint is disabled. Enable it, or leave --endpoint out.',
  too_many_endpoints: 'The account has too many endpoints. Delete one, or name a pull endpoint with --endpoint.',
};

/** What a refusal of the platform means; `undefined`: `cause` is none. */
export const platformError = (cause: unknown, api: string): CliError | undefined => {
  const refusal = refusalOf(cause);
  if (!refusal) return undefined;
  const { status, code, message, problem } = refusal;
  const remedy = remedies[code];
  if (remedy !== undefined) return new CliError(`${api} answered ${status} ${code}. ${remedy}`);
  const details = (problem?.errors ?? []).map(({ pointer = '', detail }) => ` ${pointer.slice(1)}: ${detail}`);
  return new CliError(`${api} answered ${message}${details.join('')}`);
};
