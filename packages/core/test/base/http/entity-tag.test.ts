import { describe, expect, it, test } from 'vitest';
import { err, ok } from '#result';
import {
  matchesIfMatch,
  matchesIfNoneMatch,
  readVersions,
  tagOfText,
  tagOfVersion,
} from '../../../src/base/http/entity-tag.ts';

/** The forms in which a client gets the tag `"7"`, and sends it back. */
const forms = [
  '"7"',
  'W/"7"', // nginx and CDNs that compress
  '"7-gzip"', // Apache
  '"7-br"',
  '"7-zstd"',
  '"7-deflate"',
  '"7--gzip"', // Jetty
  '"7;gzip"',
  '"7;gz"', // LiteSpeed
  '"7-x-gzip"',
  'W/"7-gzip"', // two proxies
];
/** What names no version. */
const foreign = ['"7-"', '"7-x"', '"7gzip"', '"7-gzip7"', '"7-gzip-x"', '"-gzip"', '""', '"07"', '"0"', '"7.0"'];
const others = ['"8"', 'W/"8"', '"8-gzip"', '"77"'];
const malformed = [
  '',
  ' ',
  ',',
  '7',
  'w/"7"',
  'W/7',
  '"7',
  '7"',
  '"7" "8"',
  '"7"x',
  '*, "7"',
  '"7", x',
  '"a"b"',
  '"7 "',
];

describe('If-Match', () => {
  const versions = (text: string | readonly string[]) => readVersions({ 'if-match': text });

  it.each(forms)('%s names version 7', (form) => expect(versions(form)).toEqual(ok([7])));
  it.each(foreign)('%s names no version', (form) => expect(versions(form)).toEqual(ok([])));
  it.each(malformed)('%o is malformed', (text) => expect(versions(text).isErr()).toBe(true));

  it('reads a list, with commas in tags and empty elements', () => {
    expect(versions('"1", W/"22" ,"3-gzip",\t"x,y"')).toEqual(ok([1, 22, 3]));
    expect(versions(', ,"1",,"2",')).toEqual(ok([1, 2]));
    expect(versions(['"1"', 'W/"2", "3"'])).toEqual(ok([1, 2, 3]));
  });

  it('accepts any version for * and without the header', () => {
    expect(versions(' * ')).toEqual(ok(undefined));
    expect(readVersions({})).toEqual(ok(undefined));
  });

  it('reads the tag that is answered', () => {
    expect(versions(tagOfVersion(7))).toEqual(ok([7]));
    expect(versions('"7.0123456789abcdef"')).toEqual(ok([7]));
    expect(tagOfVersion(7, '0123456789abcdef')).toBe('"7.0123456789abcdef"');
  });
});

describe('If-Match and If-None-Match of a change', () => {
  const versions = (match: string | undefined, noneMatch: string) =>
    readVersions({ ...(match === undefined ? {} : { 'if-match': match }), 'if-none-match': noneMatch });

  it.each([
    // Every version but those that If-None-Match names.
    [undefined, '"7"', { not: [7] }],
    [undefined, 'W/"7-gzip", "8"', { not: [7, 8] }],
    [undefined, '"rev-b"', { not: [] }],
    ['*', '"7"', { not: [7] }],
    // Those of If-Match that If-None-Match does not name.
    ['"7", "8"', '"7"', [8]],
    ['"7"', '"7"', []],
    // What exists has a version.
    [undefined, '*', []],
    ['"7"', ' * ', []],
  ])('%s and %s allow %o', (match, noneMatch, allowed) => expect(versions(match, noneMatch)).toEqual(ok(allowed)));

  it('names the malformed header', () => {
    expect(versions(undefined, '7')).toEqual(err('If-None-Match'));
    expect(versions('7', '"7"')).toEqual(err('If-Match'));
  });
});

describe('If-Match of a read', () => {
  const matches = (text: string, etag = '"7"') => matchesIfMatch({ 'if-match': text }, etag);

  it.each([...forms, '*', '"1", "7"'])('%s names "7"', (form) => expect(matches(form)).toBe(true));
  it.each([...others, ...foreign, ...malformed])('%o does not name "7"', (form) => expect(matches(form)).toBe(false));
  it('allows everything without the header', () => expect(matchesIfMatch({}, '"7"')).toBe(true));
  it('tells two states of one version apart', () => {
    expect(matches('"7.0123456789abcdef"', '"7.0123456789abcdef"')).toBe(true);
    expect(matches('"7"', '"7.0123456789abcdef"')).toBe(false);
  });
});

test('the tag of a text is 128 bits of its SHA-256', () =>
  expect(tagOfText('')).toBe('"e3b0c44298fc1c149afbf4c8996fb924"'));

describe('If-None-Match', () => {
  const matches = (text: string | readonly string[], etag = '"7"') =>
    matchesIfNoneMatch({ 'if-none-match': text }, etag);

  it.each([...forms, '*', '"1", W/"7"', '"x,y","7"'])('%s names "7"', (form) => expect(matches(form)).toBe(true));
  it.each([...others, ...foreign, ...malformed])('%o does not name "7"', (form) => expect(matches(form)).toBe(false));

  it('compares the tags of a host alike', () => {
    expect(matches('"2027-01-rev-b"', '"2027-01-rev-b"')).toBe(true);
    expect(matches('W/"2027-01-rev-b-gzip"', '"2027-01-rev-b"')).toBe(true);
    expect(matches('"2027-01-rev"', '"2027-01-rev-b"')).toBe(false);
    expect(matches('"a"', 'W/"a"')).toBe(true);
    expect(matches(['"b"', '"a"'], '"a"')).toBe(true);
    expect(matches('"a"', 'a')).toBe(false);
  });

  it('names nothing without the header', () => expect(matchesIfNoneMatch({}, '"7"')).toBe(false));
});
