import type { Environment } from './connect.ts';

/** An error, or one of several that belong together. */
type Told = Partial<Pick<AggregateError, 'message' | 'errors' | 'cause'>> & { readonly code?: unknown };

const messages = (cause: unknown): readonly string[] => {
  const { message, errors, code, cause: inner } = (cause ?? {}) as Told;
  return typeof message === 'string'
    ? [message || errors?.map(String).join('; ') || String(code), ...messages(inner)]
    : [];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Also finds passwords in a malformed address. */
const passwords = ({ DATABASE_URL = '', PGPASSWORD = '' }: Environment): readonly string[] => {
  const written = [/^\w+:\/\/[^:@/]*:(.*)@/.exec(DATABASE_URL), /[?&]password=([^&#]*)/.exec(DATABASE_URL)];
  const found = [PGPASSWORD, ...written.map((match) => match?.[1] ?? '')];
  return [...found, ...found.map(decoded)].filter((password) => password !== '');
};

/** The message of an error and its causes, without passwords: drivers and servers may quote them. */
export const errorText = (cause: unknown, environment: Environment): string => {
  const text = messages(cause).join('\n  ') || String(cause);
  return passwords(environment).reduce((told, password) => told.replaceAll(password, '***'), text);
};
