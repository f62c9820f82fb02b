import { once } from 'node:events';
import { connect } from 'node:net';
import type { Done } from '../meter.ts';

/** Whether a response is complete, with a length or in chunks. */
const isWhole = (answer: string): boolean => {
  const head = answer.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= head + 4 + Number(length);
};

/** A request that a connection repeats, or a function that returns its next request. */
export type Repeated = string | (() => string);

/** Sends requests, one after the other, until `next` returns false. */
const lane = async (port: number, request: Repeated, next: (answer: string) => boolean): Promise<void> => {
  const send = (): boolean => socket.write(typeof request === 'string' ? request : request());
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    if (!isWhole(answer)) return;
    if (!/^HTTP\/1\.1 20[01] /.test(answer)) socket.destroy(new Error(`Port ${port} answered ${answer}`));
    else if (next(answer)) send();
    else socket.destroy();
    answer = '';
  });
  socket.on('end', () => socket.destroy(new Error(`Port ${port} hung up.`)));
  send();
  await once(socket, 'close');
};

/** The responses of `time` milliseconds, on a connection for each request. */
export const hammer = async (port: number, requests: readonly Repeated[], time: number): Promise<Done> => {
  const start = performance.now();
  let answers = 0;
  let now = start;
  const next = (): boolean => {
    answers++;
    now = performance.now();
    return now - start < time;
  };
  await Promise.all(requests.map((request) => lane(port, request, next)));
  return { units: answers, rate: (answers / (now - start)) * 1_000 };
};

/** The content of a body in chunks (RFC 9112 §7.1). */
const joined = (chunks: string): string => {
  const size = Number.parseInt(chunks, 16);
  const from = chunks.indexOf('\r\n') + 2;
  return size > 0 ? chunks.slice(from, from + size) + joined(chunks.slice(from + size + 2)) : '';
};

/** The body of one response. */
export const bodyOf = async (port: number, request: string): Promise<string> => {
  let got = '';
  await lane(port, request, (answer) => {
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    got = /\r\ntransfer-encoding: *chunked/i.test(answer) ? joined(body) : body;
    return false;
  });
  return got;
};
