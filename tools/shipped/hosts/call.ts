import { request } from 'node:http';
import { request as requestTls } from 'node:https';

/** Sends one request over a new socket, so that none stays open. */
export const call = (
  url: string,
  { body, ca, headers = {}, method = 'GET' }: CallOptions = {},
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const options = { method, agent: false as const, headers, ...(ca === undefined ? {} : { ca }) };
    const sent = (url.startsWith('https:') ? requestTls : request)(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });

interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly ca?: string | undefined;
}
