import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { createServer, request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import type { Certificate } from './certificate.ts';
import { CliError, connectionError } from './cli-error.ts';
import { diagnose } from './diagnosis.ts';
import type { Output } from './output.ts';
import type { Secrets } from './secrets.ts';

/** @internal */
export interface ListenOptions {
  readonly port: number;
  readonly path: string;
  readonly secrets: Secrets;
  readonly apiKey: { readonly header: string; readonly value: string } | undefined;
  readonly certificate: Certificate;
  /** Where verified events go on to. */
  readonly forward: string | undefined;
  /** The folder where each request is recorded. */
  readonly record: string | undefined;
}

/** A server that runs. @internal */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** A request on its way through the receiver. */
interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** What the handler did; absent: it was not called. */
  outcome?: string;
}

/** Headers of the connection, which are not forwarded (RFC 9110 §7.6.1). */
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

const forwardTo = (url: string, { headers, body }: Exchange): Promise<number> =>
  new Promise((resolve, reject) => {
    const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
    const { protocol, hostname } = new URL(url);
    const options = {
      method: 'POST',
      headers: Object.fromEntries(kept),
      timeout: 14_000,
      // The certificate of a developer's own server is seldom trusted.
      rejectUnauthorized: !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname),
    };
    const request = (protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy(new CliError(`${url} did not answer within 14 seconds.`)));
    request.on('error', (cause) => reject(cause instanceof CliError ? cause : connectionError(url, cause)));
    request.end(body);
  });

const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The receiver refuses what exceeds its limit: the rest is not kept.
    if (size <= limit + 1) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const singleHeaders = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));

const describe = (body: Buffer): { readonly event?: unknown; readonly name: string } => {
  try {
    const event = JSON.parse(body.toString('utf8'));
    return { event, name: `${event.objectName}.${event.type} ${event.data.id}` };
  } catch {
    return { name: `${body.length} bytes` };
  }
};

/**
 * Serves HTTPS, verifies and deduplicates what arrives, prints it, and forwards what is valid.
 * @throws CliError when the port is taken.
 * @internal
 */
export const listen = async (options: ListenOptions, output: Output): Promise<Listening> => {
  const { secrets, apiKey, path, forward, record, certificate } = options;
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
  const route = createReceiver({
    secrets,
    seen: memorySeenKeys(),
    otherwise: handle,
    on: {},
    ...(apiKey ? { apiKey } : {}),
    onError: (cause) => output.progress(`  ${(cause as Error).message}`),
  }).route(path as `/${string}`);

  const explain = (exchange: Exchange, status: number): readonly string[] => {
    const { isValid, findings } = diagnose(exchange, secrets, Date.now());
    if (!isValid) return findings;
    if (status === 401) return [apiKey ? `The API key is wrong or missing: send ${apiKey.header}.` : 'It was refused.'];
    return [];
  };

  let count = 0;
  const keep = ({ headers, body }: Exchange): void => {
    count += 1;
    if (record === undefined) return;
    const file = join(record, `${Date.now()}-${count}.json`);
    writeFileSync(file, JSON.stringify({ headers, bodyBase64: body.toString('base64') }, null, 2));
  };

  if (record !== undefined) mkdirSync(record, { recursive: true });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange: Exchange = {
      headers: singleHeaders(request),
      body: await readBody(request, route.maxBodyBytes),
    };
    const { method = '', url: target = '/' } = request;
    const isServed = target.split('?')[0] === path;
    const body = exchange.body.length > route.maxBodyBytes ? ({ tooLarge: true } as const) : exchange.body;
    const answer = isServed
      ? await exchanges.run(exchange, () => route.handle({ method, target, headers: exchange.headers, body }))
      : { status: 404, headers: {}, body: '' };
    response.writeHead(answer.status, answer.headers).end(answer.body);
    keep(exchange);
    const { event, name } = describe(exchange.body);
    const isOk = answer.status < 300;
    const outcome = exchange.outcome ?? (isOk ? 'duplicate' : 'refused');
    const refusal = isServed ? explain(exchange, answer.status) : [`It serves ${path}.`];
    const findings = isOk ? [] : refusal;
    const time = new Date().toISOString().slice(11, 19);
    const lines = [`${time}  ${answer.status}  ${outcome}  ${name}`, ...findings.map((finding) => `  ${finding}`)];
    output.result(lines.join('\n'), { status: answer.status, outcome, findings, event });
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
          : new CliError(`Cannot listen on port ${options.port}: ${cause.code}.`),
      ),
    );
    server.listen(options.port, resolve);
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
