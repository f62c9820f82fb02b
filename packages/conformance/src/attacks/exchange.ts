import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { AttackRequest } from './attack.ts';

/** What came back for one request. */
export interface AttackAnswer {
  /** 0: the connection closed without a response. */
  readonly status: number;
  readonly text: string;
  /** More than one, if the server took the request for several. */
  readonly responses: number;
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');

/** The bytes of a request. Nothing is encoded or corrected. */
const requestBytes = ({ method, target, headers, body }: AttackRequest, host: string): Buffer => {
  const has = (name: string): boolean => headers.some(([each]) => each.toLowerCase() === name);
  const content = body === undefined ? Buffer.alloc(0) : typeof body === 'string' ? bytesOf(body) : Buffer.from(body);
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)\s*$/i.test(name));
  const lines = [
    ...(has('host') ? [] : [['Host', host] as const]),
    ...headers,
    ...(isFramed || body === undefined ? [] : [['Content-Length', String(content.length)] as const]),
    ...(has('connection') ? [] : [['Connection', 'close'] as const]),
  ];
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([bytesOf(head.join('\r\n')), content]);
};

const timeout = 10_000;

/** Sends a request over a connection of its own, and reads until the server closes it. */
export const attackOverSocket = async (
  url: URL,
  request: AttackRequest,
  isUnfinished = false,
): Promise<AttackAnswer> => {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const socket: Socket =
    url.protocol === 'https:'
      ? connectTls({ host: url.hostname, port, servername: url.hostname })
      : connect({ host: url.hostname, port });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server may reset a connection whose request it did not read to its end.
  socket.on('error', () => undefined);
  socket.setTimeout(timeout, () => socket.destroy());
  socket.write(requestBytes(request, url.host));
  // A server that waits for more of a body learns that none comes. Others take such an end for a caller who is gone.
  const ending = isUnfinished ? setTimeout(() => socket.end(), 50) : undefined;
  await once(socket, 'close');
  clearTimeout(ending);
  const text = Buffer.concat(chunks).toString('latin1');
  const finals = [...text.matchAll(/(?:^|\r\n|\})HTTP\/1\.[01] ([2-9]\d\d) /g)];
  return { status: Number(finals[0]?.[1] ?? 0), text, responses: finals.length };
};
