import { toUtf8, utf8Length } from '../runtime/text.ts';
import type { HttpResponse } from './route.ts';

const isAscii = (text: string): boolean => utf8Length(text) === text.length;

/**
 * The body of a response, for Node.js. Node.js sends a text in one write with the headers, but then encodes the headers
 * in UTF-8 too. When a header is not ASCII, the body is returned as bytes.
 * @example
 * const write = (response: ServerResponse, answer: HttpResponse) =>
 *   response.writeHead(answer.status, answer.headers).end(nodeBody(answer));
 * @public
 */
export const nodeBody = ({ headers, body }: HttpResponse): string | Uint8Array => {
  return Object.values(headers).every(isAscii) ? body : toUtf8(body);
};
