import { err, ok, type Result } from '#result';
import type { HttpHeaders } from './route.ts';

/** The `ETag` of a version. It names the version, not the bytes of a response. */
export const tagOfVersion = (version: number): string => `"${version}"`;

/** One tag of a list, with the empty elements before it (RFC 9110 §5.6.1). */
const listed = /[\t ,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?=,|$)/y;
const separators = /^[\t ,]*$/;
/** What proxies append to the tag of a response that they compress: `-gzip` of Apache, `--gzip` of Jetty, `;gz`. */
const coding = /(?:--?|;)(?:x-)?(?:gzip|gz|br|zstd|deflate|compress)$/;

/** The names in a list of tags: without the mark of weakness and without what proxies append. */
const namesOf = (list: string): readonly string[] | undefined => {
  const names: string[] = [];
  let end = 0;
  for (;;) {
    listed.lastIndex = end;
    const [, opaque] = listed.exec(list) ?? [];
    if (opaque === undefined) break;
    names.push(opaque.replace(coding, ''));
    end = listed.lastIndex;
  }
  return names.length > 0 && separators.test(list.slice(end)) ? names : undefined;
};

const textOf = (header: string | readonly string[]): string =>
  typeof header === 'string' ? header : header.join(', ');

/** The versions that a list of tags names; `undefined` for a malformed list. */
export const versionsOfTags = (list: string): readonly number[] | undefined =>
  namesOf(list)
    ?.filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number);

/**
 * The versions that `If-Match` names. `undefined`: any. An error: the header is malformed. RFC 9110 §13.1.1 compares
 * bytes, so proxies that compress weaken or mark the tag: `W/"1"` and `"1-gzip"` name version 1, too. Other tags name
 * no version.
 */
export const readIfMatch = (headers: HttpHeaders): Result<readonly number[] | undefined, 'malformed'> => {
  const header = headers['if-match'];
  if (header === undefined) return ok(undefined);
  const text = textOf(header);
  if (text.trim() === '*') return ok(undefined);
  const versions = versionsOfTags(text);
  return versions ? ok(versions) : err('malformed');
};

/**
 * Whether `If-None-Match` names the `ETag` of a response, by weak comparison (RFC 9110 §13.1.2). A tag that a proxy
 * marked with its coding, such as `"1-gzip"`, names `"1"`. A malformed header names none.
 * @example
 * const etag = '"7"';
 * const headers = { 'if-none-match': 'W/"7"' };
 * const status = matchesIfNoneMatch(headers, etag) ? 304 : 200;
 * @public
 */
export const matchesIfNoneMatch = (headers: HttpHeaders, etag: string): boolean => {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  const text = textOf(header);
  if (text.trim() === '*') return true;
  const [own] = namesOf(etag) ?? [];
  return own !== undefined && (namesOf(text)?.includes(own) ?? false);
};
