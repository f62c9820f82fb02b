import { type HttpHeaders, singleHeader } from './route.ts';

/** The media type of a body (RFC 9110 §8.3). */
export interface ContentType {
  /** In lower case, without parameters; empty when the header is absent or repeated. */
  readonly type: string;
  /** Whether no parameter names a charset other than UTF-8. */
  readonly isUtf8: boolean;
}

const utf8 = new Set(['charset=utf-8', 'charset=utf8', 'charset="utf-8"', 'charset="utf8"']);

/** Reads `Content-Type` in one pass: a stranger wrote it. */
export const readContentType = (headers: HttpHeaders): ContentType => {
  const [type = '', ...parameters] = (singleHeader(headers, 'content-type') ?? '').toLowerCase().split(';');
  const charsets = parameters.map((parameter) => parameter.trim()).filter((each) => each.startsWith('charset='));
  return { type: type.trim(), isUtf8: charsets.every((charset) => utf8.has(charset)) };
};

/** The media types of a change. Both mean RFC 7396. */
export const changeTypes: readonly string[] = ['application/json', 'application/merge-patch+json'];
