import { toUtf8, utf8Length } from '../runtime/text.ts';
import type { HttpResponse } from './route.ts';

const isAscii = (text: string): boolean => utf8Length(text) === text.length;

/**
 * An answer's body, as Node.js is to be given it. A text leaves in one piece with the headers, which bytes do not; but then Node.js
 * writes the headers in UTF-8 as well, so where one is not ASCII the body goes as bytes.
 * @example
 * const write = (response: ServerResponse, answer: HttpResponse) =>
 *   response.writeHead(answer.status, answer.headers).end(nodeBody(answer));
 * @public
 */
export const nodeBody = ({ headers, body }: HttpResponse): string | Uint8Array => {
  for (const name in headers) if (!isAscii(headers[name] as string)) return toUtf8(body);
  return body;
};
