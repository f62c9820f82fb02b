import { err, ok, type Result } from '#result';
import { sha256 } from '../crypto/sha256.ts';
import type { VersionCondition } from '../runtime/if-version.ts';
import type { HttpHeaders } from './route.ts';

/**
 * The `ETag` of a version. A representation that also changes without a new version has a `variant` for each state:
 * 16 hex digits. Conditions of changes look at the version alone.
 */
export const tagOfVersion = (version: number, variant?: string): string =>
  variant === undefined ? `"${version}"` : `"${version}.${variant}"`;

/** The `ETag` of a representation without a version: it names the text. */
export const tagOfText = (text: string): string => `"${sha256(text).slice(0, 32)}"`;

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
    ?.map((name) => /^([1-9]\d{0,14})(?:\.[0-9a-f]{16})?$/.exec(name)?.[1])
    .filter((version) => version !== undefined)
    .map(Number);

/** A header that is no list of tags. */
export type MalformedCondition = 'If-Match' | 'If-None-Match';

/** The versions that a header names. */
const versionsIn = (
  headers: HttpHeaders,
  name: MalformedCondition,
): Result<readonly number[] | '*' | undefined, MalformedCondition> => {
  const header = headers[name.toLowerCase()];
  if (header === undefined) return ok(undefined);
  const text = textOf(header);
  if (text.trim() === '*') return ok('*');
  const versions = versionsOfTags(text);
  return versions ? ok(versions) : err(name);
};

/**
 * The versions that `If-Match` and `If-None-Match` allow a change of (RFC 9110 §13.1.1, §13.1.2). `undefined`: any. An
 * error: the header is malformed. RFC 9110 compares the bytes of `If-Match`. Proxies that compress weaken or mark the
 * tag, so `W/"1"` and `"1-gzip"` name version 1, too. Other tags name no version.
 */
export const readVersions = (headers: HttpHeaders): Result<VersionCondition | undefined, MalformedCondition> =>
  versionsIn(headers, 'If-Match').andThen((allowed) =>
    versionsIn(headers, 'If-None-Match').map((refused): VersionCondition | undefined => {
      // What exists has a version.
      if (refused === '*') return [];
      const named = allowed === '*' ? undefined : allowed;
      if (refused === undefined) return named;
      return named?.filter((version) => !refused.includes(version)) ?? { not: refused };
    }),
  );

/** Whether a list of tags names a tag. */
const names = (list: string, etag: string): boolean => {
  if (list.trim() === '*') return true;
  const [own] = namesOf(etag) ?? [];
  return own !== undefined && (namesOf(list)?.includes(own) ?? false);
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
  return header !== undefined && names(textOf(header), etag);
};

/** Whether `If-Match` names the `ETag` of a response, or is absent; compared as in {@link readVersions}. */
export const matchesIfMatch = (headers: HttpHeaders, etag: string): boolean => {
  const header = headers['if-match'];
  return header === undefined || names(textOf(header), etag);
};
