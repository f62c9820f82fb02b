import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CliError, connectionError, isCliError } from './cli-error.ts';

/** A request to a receiver. */
export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Which certificates to trust beside those of public authorities. */
  readonly tls?: { readonly ca?: Buffer; readonly rejectUnauthorized?: boolean };
  /** Abandons the request. */
  readonly signal?: AbortSignal;
}

/** The answer of a receiver. */
export interface Answer {
  readonly status: number;
  /** Time to the headers. */
  readonly milliseconds: number;
  /** The beginning of its body. */
  readonly body: string;
}

/** Time to the headers of the answer, after which a platform gives up by default. */
const deadline = 15_000;
/** A platform reads as much of the body, and for as long. */
const maxBodyBytes = 4 * 1_024;
const bodyTimeout = 2_000;

/** The beginning of the body of an answer, which may never end. */
const readStart = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      response.destroy();
      resolve(Buffer.concat(chunks).subarray(0, maxBodyBytes).toString('utf8'));
    };
    const timer = setTimeout(finish, bodyTimeout);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBodyBytes) finish();
    });
    // A body that breaks off changes nothing: the status line has come.
    response.on('error', finish).on('close', finish);
  });

/**
 * Posts a request as a platform does.
 * @throws CliError when there is no answer.
 */
export const post = (url: URL, { headers, body, tls, signal }: PostRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const options = { method: 'POST', headers, ...tls, ...(signal ? { signal } : {}) };
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, async (response) => {
      clearTimeout(timer);
      const milliseconds = Math.round(performance.now() - start);
      resolve({ status: response.statusCode ?? 0, milliseconds, body: await readStart(response) });
    });
    const timer = setTimeout(
      () =>
        request.destroy(
          new CliError(`${url.href} did not answer within 15 seconds, when a platform gives up by default.`),
        ),
      deadline,
    );
    request.on('error', (cause) => {
      clearTimeout(timer);
      reject(isCliError(cause) ? cause : connectionError(url.href, cause));
    });
    request.end(body);
  });

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const remedies: Readonly<Record<number, string>> = {
  401: 'The receiver refused the signature or the API key: give it the same secret, and verify the raw bytes.',
  404: 'The receiver serves no webhooks at this path: correct the URL.',
  405: 'The receiver does not take POST at this path: correct the URL.',
  409: 'The receiver is processing this event already.',
};

/** What an answer that is not 2xx means. */
export const remedyOf = (status: number): string => {
  if (status >= 300 && status < 400) return 'A platform follows no redirect: name the final URL.';
  return remedies[status] ?? 'A platform sends the event again until the answer is 2xx.';
};
