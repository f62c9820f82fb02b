/** A range of a text: start inclusive, end exclusive. */
export type Stretch = readonly [from: number, to: number];

/**
 * The failure table of Knuth–Morris–Pratt: for each prefix of `word`, its longest proper prefix that is also a suffix.
 */
const borders = (word: ArrayLike<string>): Uint32Array => {
  const table = new Uint32Array(word.length + 1);
  for (let at = 1, length = 0; at < word.length; at++) {
    while (length > 0 && word[at] !== word[length]) length = table[length] as number;
    if (word[at] === word[length]) length++;
    table[at + 1] = length;
  }
  return table;
};

/**
 * Finds `word` in `text` (Knuth–Morris–Pratt, linear time). A prefix of `word` of at least `least` characters also
 * counts when it ends at one of `ends`, where the text was cut.
 */
export const findCopies = (
  text: ArrayLike<string>,
  word: ArrayLike<string>,
  least: number,
  ends: readonly number[],
): Stretch[] => {
  const table = borders(word);
  const found: Stretch[] = [];
  for (let at = 0, length = 0; at <= text.length; at++) {
    if (length >= least && ends.includes(at)) found.push([at - length, text.length]);
    const sign = text[at];
    while (length > 0 && sign !== word[length]) length = table[length] as number;
    if (sign === word[length]) length++;
    if (length < word.length) continue;
    found.push([at + 1 - length, at + 1]);
    length = table[length] as number;
  }
  return found;
};
