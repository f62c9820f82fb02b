import { STATUS_CODES } from 'node:http';
import { fence, json } from './markdown.ts';

/** A request of a page. Words in capitals after `$` are the reader's. */
export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const message = (start: string, headers: Readonly<Record<string, string>>, body: unknown): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = body === undefined ? [] : ['', json(body)];
  return fence('http', [start, ...lines, ...text].join('\n'));
};

interface AnswerHeaders {
  /** @defaultValue application/json */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const requestBlock = ({ method, path, host, headers = {}, body }: SampleRequest): string =>
  message(
    `${method} ${path} HTTP/1.1`,
    { Host: host, ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body,
  );

export const answerBlock = (
  status: number,
  body: unknown,
  { type = 'application/json', headers = {} }: AnswerHeaders = {},
): string =>
  message(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trim(),
    { ...(body === undefined ? {} : { 'Content-Type': type }), ...headers },
    body,
  );

/** The header of a request with a token. */
export const bearer = { Authorization: 'Bearer $ACCESS_TOKEN' } as const;
