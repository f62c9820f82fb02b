import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';

/**
 * What a hostile receiver does next.
 *
 * - A text: writes its characters as bytes (Latin-1).
 * - `wait`: does nothing for so many milliseconds.
 * - `repeat`: writes a text again and again, until the sender closes the connection.
 * - `silence`: does nothing more, and keeps the connection.
 * - `reset`: destroys the connection.
 * @public
 */
export type ReceiverStep = string | { readonly wait: number } | { readonly repeat: string } | 'silence' | 'reset';

/**
 * A receiver of webhooks that attacks its sender. After its last step it closes the connection.
 * @public
 */
export interface ReceiverAttack {
  /** What is hostile. */
  readonly name: string;
  /** `tcp`: it speaks no TLS. @defaultValue 'tls' */
  readonly layer?: 'tcp' | 'tls';
  /** Its steps, once the headers of the request have arrived; on `tcp`, once the first bytes have. */
  readonly steps: readonly ReceiverStep[];
  /** Whether the attempt counts as confirmed (2xx). Absent: either is fine, if the attempt ends within its time. */
  readonly confirms?: boolean;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const head = (lines: string): string => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;
const never = (name: string, ...steps: readonly ReceiverStep[]): ReceiverAttack => ({ name, steps, confirms: false });
const either = (name: string, ...steps: readonly ReceiverStep[]): ReceiverAttack => ({ name, steps });
const confirmed = (name: string, ...steps: readonly ReceiverStep[]): ReceiverAttack => ({
  name,
  steps,
  confirms: true,
});

/**
 * Receivers that hang, flood, lie, redirect, or answer with what is no HTTP. An attempt against each of them ends
 * within its deadline and two seconds, holds a few KiB at most, and follows nothing.
 * @public
 */
export const receiverAttacks: readonly ReceiverAttack[] = [
  { name: 'silence instead of TLS', layer: 'tcp', steps: ['silence'], confirms: false },
  { name: 'HTTP instead of TLS', layer: 'tcp', steps: [ok], confirms: false },
  { name: 'a reset instead of TLS', layer: 'tcp', steps: ['reset'], confirms: false },
  { name: 'an end instead of TLS', layer: 'tcp', steps: [], confirms: false },
  { name: 'a greeting of SSH', layer: 'tcp', steps: ['SSH-2.0-OpenSSH_9.9\r\n', 'silence'], confirms: false },
  {
    name: 'an endless handshake',
    layer: 'tcp',
    steps: [{ repeat: '\u0016\u0003\u0003\u0000\u0001\u0000' }],
    confirms: false,
  },
  { name: 'an alert of TLS', layer: 'tcp', steps: ['\u0015\u0003\u0003\u0000\u0002\u0002\u0028'], confirms: false },
  {
    name: 'a record of TLS that is too long',
    layer: 'tcp',
    steps: ['\u0016\u0003\u0003\u00ff\u00ff', 'silence'],
    confirms: false,
  },

  never('silence', 'silence'),
  never('an end', ...[]),
  never('a reset', 'reset'),
  never('a letter, then silence', 'H', 'silence'),
  never('half a status line, then an end', 'HTTP/1.1 20'),
  never('a status line, then silence', 'HTTP/1.1 200 OK\r\n', 'silence'),
  never('a status line, then a reset', 'HTTP/1.1 200 OK\r\n', 'reset'),
  never('headers without an end, then silence', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n', 'silence'),
  never('endless headers', 'HTTP/1.1 200 OK\r\n', {
    repeat: 'X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n',
  }),
  never('one endless header', 'HTTP/1.1 200 OK\r\nX-A: ', {
    repeat: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  }),
  never('an endless status line', 'HTTP/1.1 200 ', {
    repeat: 'OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK OK',
  }),
  never('endless informational responses', { repeat: 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n' }),
  never('endless 100 Continue', { repeat: 'HTTP/1.1 100 Continue\r\n\r\n' }),
  never(
    'an upgrade',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'silence',
  ),
  never('letters', 'hello\r\n\r\n'),
  never('zeros', '\u0000'.repeat(64)),
  never('the request itself', 'POST / HTTP/1.1\r\nHost: x\r\n\r\n'),
  never('HTTP/0.9', '<html></html>'),
  never('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'silence'),
  either('a response of RTSP', 'RTSP/1.0 200 OK\r\n\r\n'),
  never('the status 0', 'HTTP/1.1 000 x\r\nContent-Length: 0\r\n\r\n'),
  either('the status 99', 'HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n'),
  either('the status 999', 'HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n'),
  never('a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'),
  never('a status with a sign', 'HTTP/1.1 +200 OK\r\nContent-Length: 0\r\n\r\n'),
  never('a status in words', 'HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n'),
  either('a version that does not exist', 'HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n'),

  ...[301, 302, 303, 307, 308].map((status) =>
    never(
      `a redirect (${status}) to the metadata service`,
      `HTTP/1.1 ${status} x\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n`,
    ),
  ),
  never('a redirect to itself', 'HTTP/1.1 307 x\r\nLocation: /hook\r\nContent-Length: 0\r\n\r\n'),
  never(
    'a challenge for credentials',
    'HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
  ),
  never('a proxy’s challenge', 'HTTP/1.1 407 x\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n'),
  never('Retry-After without an end', `HTTP/1.1 503 x\r\nRetry-After: ${'9'.repeat(400)}\r\nContent-Length: 0\r\n\r\n`),
  never(
    'Retry-After in the past',
    'HTTP/1.1 503 x\r\nRetry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n',
  ),
  never('Retry-After twice', 'HTTP/1.1 429 x\r\nRetry-After: 1\r\nRetry-After: 99999\r\nContent-Length: 0\r\n\r\n'),
  never('Retry-After that is negative', 'HTTP/1.1 429 x\r\nRetry-After: -1\r\nContent-Length: 0\r\n\r\n'),

  confirmed('a body without an end', 'HTTP/1.1 200 OK\r\n\r\n', { repeat: 'x'.repeat(1_024) }),
  confirmed('a body of 10 GB, announced', head('Content-Length: 10000000000'), { repeat: 'x'.repeat(1_024) }),
  confirmed('a body that never begins', head('Content-Length: 10'), 'silence'),
  confirmed('a body that is cut', head('Content-Length: 10'), 'abc', 'reset'),
  confirmed('chunks without an end', head('Transfer-Encoding: chunked'), {
    repeat: `400\r\n${'x'.repeat(1_024)}\r\n`,
  }),
  confirmed('a letter each moment', head('Content-Length: 4000'), 'a', { wait: 50 }, 'b', { wait: 50 }, 'c', 'silence'),
  either('a chunk whose length is no number', head('Transfer-Encoding: chunked'), 'zz\r\nx\r\n0\r\n\r\n'),
  either('a chunk of 2^64 bytes', head('Transfer-Encoding: chunked'), 'ffffffffffffffff\r\n', 'silence'),
  either('endless extensions of a chunk', head('Transfer-Encoding: chunked'), '1;', { repeat: 'a=b;'.repeat(64) }),
  either('endless trailers', head('Transfer-Encoding: chunked'), '0\r\n', { repeat: 'X-A: b\r\n' }),
  confirmed(
    'a bomb of gzip',
    head('Content-Encoding: gzip\r\nContent-Length: 20'),
    '\u001f\u008b\u0008\u0000\u0000\u0000\u0000\u0000\u0000\u0003',
    'silence',
  ),
  either('a length and chunks', head('Content-Length: 3\r\nTransfer-Encoding: chunked'), '0\r\n\r\n'),
  either('two lengths', head('Content-Length: 0\r\nContent-Length: 9'), ''),
  either('a length that is negative', head('Content-Length: -1'), ''),
  either('a length of letters', head('Content-Length: abc'), ''),
  either('two responses', ok + ok),
  either('a response, and another one that is none', `${ok}nonsense`),
  either('a NUL in a header', head('X-A: a\u0000b\r\nContent-Length: 0')),
  either('a line feed alone', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'),
  either('a header that continues', head('X-A: a\r\n b\r\nContent-Length: 0')),
  confirmed(
    '200 cookies',
    head(`${Array.from({ length: 200 }, (_, index) => `Set-Cookie: a${index}=b`).join('\r\n')}\r\nContent-Length: 0`),
  ),
  confirmed(
    'escapes of a terminal',
    head('Content-Length: 24'),
    '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u001b[0m'.slice(0, 24),
  ),
  confirmed('bytes that are not UTF-8', head('Content-Length: 4'), '\u00ff\u00fe\u00c3\u0028'),
  confirmed('markup', head('Content-Length: 25'), '<script>alert(1)</script>'),
  confirmed('no content, with content', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', 'hello'),
  confirmed('a connection that it keeps', head('Connection: keep-alive\r\nContent-Length: 0'), 'silence'),
];

/** A hostile receiver that runs. @public */
export interface HostileReceiver {
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** How many connections were opened. */
  connections(): number;
  /** Closes every connection and the server. */
  close(): Promise<void>;
}

const perform = async (socket: Socket, steps: readonly ReceiverStep[]): Promise<void> => {
  for (const step of steps) {
    if (socket.destroyed) return;
    if (step === 'silence') return;
    if (step === 'reset') return void socket.destroy();
    if (typeof step === 'string') socket.write(step, 'latin1');
    else if ('wait' in step) await after(step.wait);
    else
      while (!socket.destroyed) {
        // A sender that reads no more must not make this side store it.
        if (!socket.write(step.repeat, 'latin1')) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
        await after(1);
      }
  }
  socket.end();
};

/**
 * Starts a server that does what an attack says, on each connection.
 * @example
 * const authority = await createCertificateAuthority();
 * const certificate = await authority.issue({ names: ['partner.test'] });
 * const [attack] = receiverAttacks;
 * if (!attack) throw new Error('There is no attack.');
 * const receiver = await startHostileReceiver(attack, certificate);
 * await receiver.close();
 * @public
 */
export const startHostileReceiver = async (
  { layer = 'tls', steps }: ReceiverAttack,
  certificate: { readonly cert: string; readonly key: string },
): Promise<HostileReceiver> => {
  const sockets = new Set<Socket>();
  let count = 0;
  const serve = (socket: Socket): void => {
    count++;
    sockets.add(socket);
    // The sender may go at any time.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let heard = '';
    const hear = (data: Buffer): void => {
      heard += data.toString('latin1');
      if (layer === 'tls' && !heard.includes('\r\n\r\n')) return;
      socket.off('data', hear).resume();
      // Errors of the socket end the steps.
      perform(socket, steps).catch(() => socket.destroy());
    };
    socket.on('data', hear);
  };
  const server: Server = layer === 'tcp' ? createTcpServer(serve) : createTlsServer(certificate, serve);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
