// Numbers in prose: each number with a unit stands in a sentence that the code writes, or in one that is listed as no
// fact of the code. So a number that differs from the code is found, and so is one that nothing checks.

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const numeral = `\\d[\\d,]*(?:\\.\\d+)?|${words.join('|')}|twenty|thirty`;
const times = 'ms|milliseconds?|seconds?|s|minutes?|min|hours?|h|days?|months?';
const sizes = 'bytes|[KM]iB|[kMG]B';
const things = `percent|failures|levels|digits|characters|languages|shards|slots|children|secrets|endpoints|cash-outs|
  attempts|deliveries|events|rows|lines|items|cases|pairs|references|transactions|signatures|packages`;
const products = 'Node\\.js|TypeScript|PostgreSQL|MariaDB|MySQL|Redis|Express|Fastify|NestJS|Next\\.js|Jest|Bun|Deno';

/** A number with its unit, a version of a product, or the default in a table of options. */
const number = new RegExp(
  [
    `(?<![\\w.,/#-])(?:${numeral}|an?(?= (?:minute|hour|day|millisecond|thousand)))(?: failed)?\\s+(?:${times}|${sizes})\\b(?![-/])`,
    `(?<![\\w.,/#-])(?:\\d[\\d,]*|${words.slice(3).join('|')})(?: failed)?\\s+(?:${things.replaceAll(/\s/g, '')})\\b`,
    `(?:${products}) \\d+(?:\\.\\d+)*`,
    '(?<=^\\| `[^|\\n]*\\|(?:[^|\\n]*\\|)+ )[\\d,]+(?= \\|$)',
  ].join('|'),
  'gim',
);

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A sentence may continue on the next line. */
const patternOf = (sentence, numbers = escaped) => {
  const parts = sentence
    .split(/((?<![\w.])\d[\d,.]*\d|(?<![\w.])\d+)/)
    .map((part, at) => (at % 2 ? numbers(part) : escaped(part)));
  return new RegExp(parts.join('').replaceAll(/\s+/g, '\\s+'), 'g');
};
const withAnyNumbers = (sentence) => patternOf(sentence, () => '\\d[\\d,.]*');
/** Without three words, a sentence with another number is probably another sentence. */
const hasWords = (sentence) => sentence.match(/\b[a-z]+\b/gi).length >= 3;

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');
/** Code, except its comments, and addresses of links are no prose. The length stays, so places do. */
const proseOf = (text) =>
  text
    .replaceAll(/^ *(`{3,})[\s\S]*?^ *\1$/gm, (fence) =>
      fence.replaceAll(/^(.*?)((?:(?<!\S)(?:#|\/\/) .*)?)$/gm, (_, code, comment) => blank(code) + comment),
    )
    .replaceAll(/\]\([^)\s]*\)|^#+ .*$/gm, (found) => (found.startsWith('](') ? `]${blank(found.slice(1))}` : found));

const placeOf = (file, text, index) => `${file}:${text.slice(0, index).split('\n').length}`;

/** The last heading of the second level before a place. */
const headingBefore = (page, index) => /.*^## ([^\n]+)$/ms.exec(page.slice(0, index))?.[1];

/**
 * The problems of the numbers of `pages`.
 * @param {ReadonlyMap<string, string>} pages from file to text
 * @param {object} sentences
 * @param {readonly string[]} sentences.facts those that the code writes. A page says each of them.
 * @param {readonly string[]} sentences.others those whose numbers are no facts of the code. A page says each of them.
 * @param {readonly string[]} sentences.measuredPlaces files, or `file#heading`, where only numbers that differ from a
 *   fact are problems
 * @returns {readonly string[]}
 */
export const numberFaults = (pages, { facts, others, measuredPlaces = [] }) => {
  const sentences = [...facts, ...others].map((sentence) => ({
    sentence,
    pattern: patternOf(sentence),
    isSaid: false,
  }));
  const unchecked = [...pages].flatMap(([file, page]) => {
    const text = proseOf(page);
    const checked = sentences.flatMap((each) => {
      const found = [...text.matchAll(each.pattern)].map(({ index, 0: { length } }) => [index, index + length]);
      each.isSaid ||= found.length > 0;
      return found;
    });
    return [...text.matchAll(number)]
      .filter(({ index, 0: { length } }) => !checked.some(([from, to]) => from <= index && index + length <= to))
      .flatMap(({ index, 0: found }) => {
        const meant = facts
          .filter(hasWords)
          .find((sentence) =>
            [...text.matchAll(withAnyNumbers(sentence))].some(
              (near) => near.index <= index && index < near.index + near[0].length,
            ),
          );
        const places = [file, `${file}#${headingBefore(page, index)}`];
        if (meant === undefined && places.some((place) => measuredPlaces.includes(place))) return [];
        const said = found.replaceAll(/\s+/g, ' ');
        const why = meant ? `the code says "${meant}"` : 'nothing checks it: see tools/docs/facts';
        return [`${placeOf(file, text, index)}: "${said}": ${why}.`];
      });
  });
  const unsaid = sentences.filter(({ isSaid }) => !isSaid).map(({ sentence }) => `No page says "${sentence}".`);
  return [...unchecked, ...unsaid];
};
