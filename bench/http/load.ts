import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether a response is complete, with a length or in chunks. */
const isWhole = (answer: string): boolean => {
  const head = answer.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= head + 4 + Number(length);
};

/** Sends one request repeatedly, or several alternately, until `next` returns false. */
const lane = async (
  port: number,
  request: string | readonly string[],
  next: (answer: string) => boolean,
): Promise<void> => {
  const inTurn = [request].flat();
  let sent = 0;
  const send = (): boolean => socket.write(inTurn[sent++ % inTurn.length] as string);
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

/** Responses per second during `time` milliseconds. Each connection repeats one request, or several in turn. */
export const hammer = async (
  port: number,
  requests: readonly (string | readonly string[])[],
  time: number,
): Promise<number> => {
  const start = performance.now();
  let answers = 0;
  let now = start;
  const next = (): boolean => {
    answers++;
    now = performance.now();
    return now - start < time;
  };
  await Promise.all(requests.map((request) => lane(port, request, next)));
  return (answers / (now - start)) * 1_000;
};

/** The body of one response. */
export const bodyOf = async (port: number, request: string): Promise<string> => {
  let got = '';
  await lane(port, request, (answer) => {
    got = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    return false;
  });
  return got;
};
