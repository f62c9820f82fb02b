import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Sends one request over a new connection. A header may occur twice. */
export const send = (
  url: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: Uint8Array,
  method = 'POST',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const all = [['Host', host], ['Content-Length', String(body.length)], ...headers].flat();
    const sent = request(url, { method, headers: all, agent: false }, (response) => {
      const { statusCode: status, headers: answered } = response;
      text(response).then((body) => resolve({ status, retryAfter: answered['retry-after'], body }), reject);
    });
    sent.on('error', reject).end(body);
  });
