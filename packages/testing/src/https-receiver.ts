import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * A request as it was received.
 * @public
 */
export interface ReceivedRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path, with the query. */
  readonly path: string;
  /** Header names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, exactly as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Body, decoded as UTF-8. */
  readonly body: string;
}

/**
 * Certificate, response and address of a receiver.
 * @public
 */
export interface HttpsReceiverOptions {
  /** Server certificate, PEM. */
  readonly cert: string;
  /** Private key, PEM. */
  readonly key: string;
  /**
   * Writes the response, once the whole request was received.
   * @defaultValue 200 without a body
   */
  readonly answer?: (request: ReceivedRequest, response: ServerResponse) => unknown;
  /**
   * Address to listen on.
   * @defaultValue `127.0.0.1`
   */
  readonly host?: string;
  /**
   * Port to listen on.
   * @defaultValue 0: any free port
   */
  readonly port?: number;
  /**
   * Whether it keeps its requests.
   * @defaultValue true
   */
  readonly isRecording?: boolean;
}

/**
 * The HTTPS server of a partner, for tests.
 * @public
 */
export interface HttpsReceiver {
  /** `https://<host>:<port>`. */
  readonly url: string;
  /** Port that the server listens on. */
  readonly port: number;
  /** All requests so far; grows as requests arrive. Empty unless it keeps them. */
  readonly requests: readonly ReceivedRequest[];
  /** Closes every connection and the server. */
  close(): Promise<void>;
}

/**
 * Starts a real HTTPS server that records its requests.
 * @example
 * const authority = await createCertificateAuthority();
 * const receiver = await startHttpsReceiver({
 *   ...(await authority.issue({ addresses: ['127.0.0.1'] })),
 *   answer: (_request, response) => response.writeHead(204).end(),
 * });
 * await receiver.close();
 * @public
 */
export const startHttpsReceiver = async ({
  cert,
  key,
  answer = (_, response) => response.end(),
  host = '127.0.0.1',
  port: wanted = 0,
  isRecording = true,
}: HttpsReceiverOptions): Promise<HttpsReceiver> => {
  const requests: ReceivedRequest[] = [];
  const server = createServer({ cert, key }, async (incoming, response) => {
    const { method = '', url: path = '', headers, rawHeaders } = incoming;
    try {
      const request = { method, path, headers, rawHeaders, body: await text(incoming) };
      if (isRecording) requests.push(request);
      await answer(request, response);
    } catch (cause) {
      // The sender disconnected, or `answer` threw: in both cases the sender gets no response.
      response.destroy(cause as Error);
    }
  });
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
