import { type HttpHeaders, singleHeader } from './route.ts';

/** The media type of a body (RFC 9110 §8.3). */
export interface ContentType {
  /** In lower case, without parameters; empty when the header is absent or repeated. */
  readonly type: string;
  /** Whether no parameter names a charset other than UTF-8. */
  readonly isUtf8: boolean;
}

const utf8 = new Set(['charset=utf-8', 'charset=utf8']);

// linear: each piece ends where the next one begins.
const pieces = /"(?:[^"\\]|\\.)*"?|[^";]+|;/g;
const quoted = /^"((?:[^"\\]|\\.)*)"$/;

/** The parts between semicolons. A quoted string in a parameter (RFC 9110 §5.6.4) is one text, without its quotes. */
const partsOf = (value: string): readonly string[] => {
  const parts = [''];
  for (const piece of value.match(pieces) ?? []) {
    const text = parts.length > 1 ? quoted.exec(piece)?.[1]?.replace(/\\(.)/g, '$1') : undefined;
    if (piece === ';') parts.push('');
    else parts[parts.length - 1] += text ?? piece;
  }
  return parts;
};

/** Reads `Content-Type` in one pass: a stranger wrote it. */
export const readContentType = (headers: HttpHeaders): ContentType => {
  const [type = '', ...parameters] = partsOf((singleHeader(headers, 'content-type') ?? '').toLowerCase());
  const charsets = parameters.map((parameter) => parameter.trim()).filter((each) => each.startsWith('charset='));
  return { type: type.trim(), isUtf8: charsets.every((charset) => utf8.has(charset)) };
};

/** Whether a body has a content coding (RFC 9110 §8.4.1). */
export const isEncoded = (headers: HttpHeaders): boolean =>
  [headers['content-encoding'] ?? 'identity'].flat().some((coding) => coding.toLowerCase() !== 'identity');

/** The media types of a change. Both mean RFC 7396. */
export const changeTypes: readonly string[] = ['application/json', 'application/merge-patch+json'];
