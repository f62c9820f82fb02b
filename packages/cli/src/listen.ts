import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { HttpResponse } from '@partnerkit/core';
import { readRequest, unreadBody } from '@partnerkit/core/adapter';
import { createReceiver, ed25519, memorySeenKeys } from '@partnerkit/receiver';
import type { Certificate } from './certificate.ts';
import { CliError } from './cli-error.ts';
import { type CheckedReceiver, diagnose } from './diagnosis.ts';
import { nameBody, shortened } from './event-name.ts';
import { forwardTo } from './forward.ts';
import type { Output } from './output.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { createRecorder } from './recordings.ts';

export interface ListenOptions {
  readonly port: number;
  /** The address to bind. */
  readonly host: string;
  readonly path: string;
  readonly receiver: CheckedReceiver;
  readonly deliveryHeader: { readonly name: string; readonly value: string } | undefined;
  readonly certificate: Certificate;
  /** Where verified events go on to. */
  readonly forward: string | undefined;
  /** The folder where requests are recorded. */
  readonly record: string | undefined;
}

/** A server that runs. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** A request on its way through the receiver. */
interface Exchange extends RecordedRequest {
  /** What the handler did; absent: it was not called. */
  outcome?: string;
}

/** What is printed of a request. */
interface Summary {
  readonly name: string;
  readonly event?: unknown;
  readonly findings: readonly string[];
}

const singleHeaders = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));

const detailOf = ({ body }: HttpResponse): readonly string[] => (body === '' ? [] : [JSON.parse(body).detail]);

/**
 * Serves HTTPS, verifies and deduplicates what arrives, prints it, and forwards what is valid.
 * @throws CliError when the port is taken.
 */
export const listen = async (options: ListenOptions, output: Output): Promise<Listening> => {
  const { receiver, deliveryHeader, path, forward, certificate } = options;
  const { secrets, publicKeys, endpoints } = receiver;
  const exchanges = new AsyncLocalStorage<Exchange>();
  const handle = async (): Promise<void> => {
    const exchange = exchanges.getStore();
    if (!exchange) return;
    exchange.outcome = 'accepted';
    if (forward === undefined) return;
    exchange.outcome = 'not forwarded';
    const status = await forwardTo(forward, exchange);
    exchange.outcome = `forwarded: ${status}`;
    if (status < 200 || status >= 300) throw new CliError(`${forward} answered ${status}.`);
  };
  const [key, ...keys] = publicKeys.map((publicKey, index) => ({ id: String(index), publicKey }));
  const route = createReceiver({
    secrets,
    endpoints,
    profiles: [{}, ...(key ? [{ signatures: [ed25519({ keys: [key, ...keys] })] }] : [])],
    seen: memorySeenKeys(),
    otherwise: handle,
    on: {},
    ...(deliveryHeader ? { deliveryHeader } : {}),
    onError: (cause) => output.progress(`  ${(cause as Error).message}`),
  }).route(path as `/${string}`);
  const record = createRecorder(options.record, output);

  const explain = (exchange: Exchange, answer: HttpResponse): readonly string[] => {
    if (answer.status < 300) return [];
    if (answer.status !== 401) return detailOf(answer);
    const { isValid, findings } = diagnose(exchange, receiver, Date.now());
    if (!isValid) return findings;
    return deliveryHeader ? [`The API key is wrong or missing: send ${deliveryHeader.name}.`] : detailOf(answer);
  };

  const print = (status: number, outcome: string, { name, event, findings }: Summary): void => {
    const time = new Date().toISOString().slice(11, 19);
    const lines = [`${time}  ${status}  ${outcome}  ${name}`, ...findings.map((finding) => `  ${finding}`)];
    output.result(lines, { status, outcome, findings, event });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: target = '/' } = request;
    if (target.split('?')[0] !== path) {
      response.writeHead(404, { connection: 'close' }).end();
      print(404, 'refused', { name: shortened(`${method} ${target}`), findings: [`It serves ${path}.`] });
      return;
    }
    const headers = singleHeaders(request);
    const read = await readRequest({ method, target, headers, body: unreadBody(request) }, route.maxBodyBytes);
    if ('aborted' in read.body) {
      output.progress('  A request broke off.');
      return;
    }
    const isWhole = ArrayBuffer.isView(read.body);
    const exchange: Exchange = { headers, body: Buffer.from(ArrayBuffer.isView(read.body) ? read.body : []) };
    const answer = await exchanges.run(exchange, () => route.handle(read));
    response.writeHead(answer.status, answer.headers).end(answer.body);
    if (isWhole && method === 'POST') record(exchange, answer.status === 401);
    const outcome = exchange.outcome ?? (answer.status < 300 ? 'duplicate' : 'refused');
    const named = isWhole ? nameBody(exchange.body) : { name: `more than ${route.maxBodyBytes} bytes` };
    print(answer.status, outcome, { ...named, findings: explain(exchange, answer) });
  };
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
    serve(request, response).catch((cause: Error) => {
      response.destroy();
      output.progress(`  A request failed: ${cause.message}.`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new CliError(`Port ${options.port} is taken. Name another with --port.`)
          : new CliError(`Cannot listen on ${options.host}, port ${options.port}: ${cause.code}.`),
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as { readonly port: number };
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
};
