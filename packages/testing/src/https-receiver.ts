import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * A request as it arrived.
 * @public
 */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, exactly as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Decoded as UTF-8. */
  readonly body: string;
}

/**
 * How a receiver answers, and as whom.
 * @public
 */
export interface HttpsReceiverOptions {
  /** Certificate of the server, PEM. */
  readonly cert: string;
  /** Its private key, PEM. */
  readonly key: string;
  /**
   * Writes the answer, once the whole request is there.
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
   * @defaultValue 0: a free one
   */
  readonly port?: number;
}

/**
 * A partner's server, for tests.
 * @public
 */
export interface HttpsReceiver {
  /** `https://<host>:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Grows as requests arrive. */
  readonly requests: readonly ReceivedRequest[];
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * Starts a real HTTPS server that records what it gets.
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
}: HttpsReceiverOptions): Promise<HttpsReceiver> => {
  const requests: ReceivedRequest[] = [];
  const server = createServer({ cert, key }, async (incoming, response) => {
    const { method = '', url: path = '', headers, rawHeaders } = incoming;
    try {
      const request = { method, path, headers, rawHeaders, body: await text(incoming) };
      requests.push(request);
      await answer(request, response);
    } catch (cause) {
      // The sender went away, or the test's own answer threw: either way the sender sees no answer.
      response.destroy(cause instanceof Error ? cause : undefined);
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
