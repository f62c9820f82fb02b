import { ok, strictEqual } from 'node:assert';
import { attackOverSocket } from '../../attacks/exchange.ts';
import { basePath } from './platform.ts';
import type { RowRequest, RowResponse } from './row.ts';

const parse = (text: string): RowResponse => {
  const end = text.indexOf('\r\n\r\n');
  ok(end > 0, 'the connection closed without a response');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const body = Buffer.from(text.slice(end + 4), 'latin1').toString();
  return { status: Number(first.split(' ')[1]), headers, body };
};

/** Fills the names in angle brackets. */
export type Fill = (text: string) => Promise<string>;

const filled = async (body: RowRequest['body'], fill: Fill): Promise<RowRequest['body']> =>
  typeof body === 'string' ? fill(body) : body;

/** The target of a request line: below the base path, except a well-known path, the receiver, or a whole path. */
export const targetOf = (path: string): string =>
  /^\/(\.well-known\/|webhooks$|api\/)/.test(path) ? path : `${basePath}${path}`;

/** Writes a request to a socket as it is: a client library would correct or join what it contains. */
export const sendRow = async (port: number, { line, headers, body }: RowRequest, fill: Fill): Promise<RowResponse> => {
  const [method = '', ...path] = (await fill(line)).split(' ');
  const content = await filled(body, fill);
  const fields = await Promise.all(
    headers.map(async (header): Promise<readonly [string, string]> => {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(await fill(header)) ?? [];
      return [name, value];
    }),
  );
  const target = targetOf(path.join(' '));
  const answer = await attackOverSocket(new URL(`http://127.0.0.1:${port}`), {
    ...{ method, target, headers: fields },
    ...(content === undefined ? {} : { body: content }),
  });
  strictEqual(answer.responses, 1, 'the server took the request for several');
  return parse(answer.text);
};
