import { request as httpRequest } from 'node:http';
import type { CheckedRequest } from './request-check.ts';

/** A request as it is sent, without normalisation. */
export interface WireRequest {
  readonly method: string;
  /** The raw request target. */
  readonly target: string;
  /** Names as written; an array repeats the header. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Send the body in chunks, without a length. */
  readonly chunked?: boolean;
  /** Announce a body of this many bytes, and send none of it. */
  readonly unsentBytes?: number;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
}

/** A response as it was received. */
export interface WireResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request as the document describes it. */
export const asSent = ({ headers = {}, body = '' }: WireRequest): CheckedRequest => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  // Without a byte order mark.
  body: new TextDecoder().decode(Buffer.from(body)),
});

/** Sends one request over a real socket. */
export const exchange = (
  port: number,
  { method, target, headers = {}, body, chunked = false, unsentBytes, signal }: WireRequest,
): Promise<WireResponse> =>
  new Promise((resolve, reject) => {
    const bytes = unsentBytes ?? (body === undefined || chunked ? undefined : Buffer.byteLength(body));
    const length = bytes === undefined ? {} : { 'content-length': String(bytes) };
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path: target,
        headers: { ...length, ...(headers as Record<string, string | string[]>) },
        agent: false,
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          if (unsentBytes !== undefined) sent.destroy();
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
            body: Buffer.concat(chunks).toString('utf8'),
          });
        });
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    if (unsentBytes !== undefined) sent.flushHeaders();
    else if (chunked && body !== undefined) {
      // Two pieces, so the body really is chunked.
      const whole = Buffer.from(body);
      sent.write(whole.subarray(0, whole.length >> 1));
      sent.end(whole.subarray(whole.length >> 1));
    } else sent.end(body);
  });
