import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CliError, connectionError, isCliError } from './cli-error.ts';
import { isLoopback } from './loopback.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** Headers of the connection, which are not forwarded (RFC 9110 §7.6.1). */
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

/** The headers of a request without those of its connection. */
export const withoutConnection = (headers: RecordedRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

/** Posts a request to the developer's application; resolves to the status of its answer. */
export const forwardTo = (url: string, { headers, body }: RecordedRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    const target = new URL(url);
    const options = {
      method: 'POST',
      headers: withoutConnection(headers),
      timeout: 14_000,
      // The certificate of a developer's own server is seldom trusted.
      rejectUnauthorized: !isLoopback(target),
    };
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy(new CliError(`${url} did not answer within 14 seconds.`)));
    request.on('error', (cause) => reject(isCliError(cause) ? cause : connectionError(url, cause)));
    request.end(body);
  });
