import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

/** Where a host listens. */
export interface Address {
  readonly port: number;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Send the body without a length, in pieces of this size. */
  readonly chunked?: number;
  readonly agent?: Agent;
  readonly localAddress?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: string;
  /** It came over a connection that had served another request before. */
  readonly reusedSocket: boolean;
}

const piecesOf = (body: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, index) => body.subarray(index * size, (index + 1) * size));

/** One request. The path goes out as it is written: `fetch` would tidy it up first. */
export const ask = (
  { port }: Address,
  path: string,
  { method = 'GET', headers = {}, body, chunked, agent, localAddress }: Asked = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    // Node.js frames by itself only the bodies of methods that usually have one.
    const framing = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes?.length) };
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { ...(bytes ? framing : {}), ...headers } as Record<string, string>,
      agent: agent ?? false,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const all = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: all,
          body: all.toString(),
          reusedSocket: sent.reusedSocket,
        });
      });
    });
    if (bytes && chunked) for (const piece of piecesOf(bytes, chunked)) sent.write(piece);
    sent.end(chunked ? undefined : bytes);
  });

/** A connection of which the test writes every byte. */
export interface Wire {
  write(text: string | Uint8Array): void;
  /** The next answer that has come in whole: head and body, as they were sent. */
  answer(): Promise<string>;
  /** Everything that was not yet taken, once the other side has closed. */
  rest(): Promise<string>;
  destroy(): void;
}

const wholeAnswer = /^HTTP\/1\.1 (?:[\s\S]*?)\r\n\r\n/;

export const openWire = ({ port }: Address): Promise<Wire> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    let closed = false;
    let look = (): void => undefined;
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      look();
    });
    socket.on('close', () => {
      closed = true;
      look();
    });

    const takeAnswer = (): string | undefined => {
      const text = received.toString('latin1');
      const head = wholeAnswer.exec(text)?.[0];
      if (head === undefined) return undefined;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (text.length < head.length + length) return undefined;
      const whole = received.subarray(0, head.length + length).toString();
      received = received.subarray(head.length + length);
      return whole;
    };
    const until = <T>(take: () => T | undefined): Promise<T> =>
      new Promise((found, lost) => {
        look = () => {
          const value = take();
          if (value !== undefined) found(value);
          else if (closed) lost(new Error(`The connection closed after: ${JSON.stringify(received.toString())}`));
        };
        look();
      });

    socket.on('connect', () =>
      resolve({
        write: (text) => {
          socket.write(text);
        },
        answer: () => until(takeAnswer),
        rest: () => until(() => (closed ? received.toString() : undefined)),
        destroy: () => {
          socket.destroy();
        },
      }),
    );
  });
