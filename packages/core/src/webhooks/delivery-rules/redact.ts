import { toBase64 } from '../../base/runtime/base64.ts';
import { toUtf8 } from '../../base/runtime/text.ts';
import { findCopies, type Stretch } from './find-copies.ts';

/** One character as escaped in JSON, URLs and HTML. Each alternative is short, so the search is linear. */
const spelling =
  /\\u00(?<json>[\da-f]{2})|\\(?<escaped>\W)|%(?<url>[\da-f]{2})|&#x0{0,4}(?<hex>[\da-f]{2});|&#0{0,4}(?<decimal>\d{2,3});|&(?<name>quot|amp|lt|gt|apos);/gi;
const named: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

const characterOf = (groups: Readonly<Record<string, string | undefined>>): string => {
  const { escaped, name, decimal } = groups;
  const hex = groups['json'] ?? groups['url'] ?? groups['hex'];
  if (escaped !== undefined) return escaped;
  if (name !== undefined) return named[name.toLowerCase()] as string;
  return String.fromCharCode(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal));
};

const decode = (text: string): string =>
  text.replace(spelling, (...match) => characterOf(match.at(-1) as Record<string, string | undefined>));

/** The offset of each character of the decoded text, and of its end, in terms of the offsets of `text`. */
const placesOfDecoded = (text: string, places: readonly number[]): readonly number[] => {
  const kept: number[] = [];
  let at = 0;
  for (const { 0: spelled, index } of text.matchAll(spelling)) {
    while (at <= index) kept.push(places[at++] as number);
    at = index + spelled.length;
  }
  while (at <= text.length) kept.push(places[at++] as number);
  return kept;
};

/** Encodings may be nested this deep. */
const maxDecodings = 2;

/** Normalizes letter case, `+` for a blank, and the two alphabets of Base64. */
const fold = (text: string): string =>
  text
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/[ -]/g, '+')
    .replaceAll('_', '/');

/** Minimum length of a match: fewer characters reveal nothing. */
const least = 4;

/** The Base64 characters that the secret alone determines, `shift` bytes into a group of three. */
const inBase64 = (secret: Uint8Array, shift: number): string => {
  const bytes = new Uint8Array(shift + secret.length);
  bytes.set(secret, shift);
  return toBase64(bytes).slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
};

/** All encodings of the secret, folded. */
const wordsOf = (secret: string): readonly string[] => {
  const bytes = toUtf8(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const alone = toBase64(bytes).replaceAll('=', '');
  const plain = [secret, decode(secret)];
  const encoded = [hex, alone, ...[0, 1, 2].map((shift) => inBase64(bytes, shift))];
  return [...new Set((secret.length < least ? plain : [...plain, ...encoded]).map(fold))];
};

/** Matches the first characters of any word: a cheap test that most responses end with. */
const beginningOf = (words: readonly string[]): RegExp => {
  const escaped = (sign: string): string =>
    sign === '+' ? '[ +-]' : sign === '/' ? '[/_]' : sign.replace(/\W/, '\\$&');
  // linear: it repeats nothing.
  return new RegExp(words.map((word) => Array.from(word.slice(0, least), escaped).join('')).join('|'), 'i');
};

/** An escaped character cut by the end of the text. */
const halfSpelled = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&(?:#?\w{0,7}))$/i;

const copiesIn = (text: string, words: readonly string[]): Stretch[] => {
  const folded = fold(text);
  const ends = [text.search(halfSpelled), text.length];
  return words.flatMap((word) => (folded.includes(word.slice(0, least)) ? findCopies(folded, word, least, ends) : []));
};

const withoutStretches = (text: string, stretches: readonly Stretch[]): string => {
  let rest = '';
  let at = 0;
  for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
    if (from >= at) rest += `${text.slice(at, from)}[redacted]`;
    at = Math.max(at, to);
  }
  return rest + text.slice(at);
};

/**
 * Removes a secret of visible ASCII from texts: plain, escaped as in JSON, URLs, forms and HTML, in Base64 and
 * hexadecimal, and cut by the end of the text. Linear in the length of the text.
 */
export const createRedactor = (secret: string): ((text: string) => string) => {
  const words = wordsOf(secret);
  const beginning = beginningOf(words);
  return (text) => {
    const found: Stretch[] = [];
    const views = [text];
    for (const view of views) {
      if (beginning.test(view)) {
        const places = views
          .slice(0, -1)
          .reduce<readonly number[]>((known, each) => placesOfDecoded(each, known), [...Array(text.length + 1).keys()]);
        for (const [from, to] of copiesIn(view, words)) found.push([places[from] as number, places[to] as number]);
      }
      const next = decode(view);
      if (views.length <= maxDecodings && next !== view) views.push(next);
    }
    return withoutStretches(text, found);
  };
};
