/** Longer words are not typing errors; the comparison costs quadratic time. */
const longestWord = 64;
const maxEdits = 3;

/** Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of neighbours. */
const editsBetween = (a: string, b: string): number => {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[b.length] as number;
};

const isPartOf = (part: string, whole: string): boolean => part.length >= 3 && whole.includes(part);

/**
 * The known word that a misspelt one means: the closest by edits, else the shortest that contains it. Case-insensitive.
 * @example
 * const meant = closestWord('listn', ['listen', 'send']); // 'listen'
 * @public
 */
export const closestWord = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > longestWord) return undefined;
  const typed = word.toLowerCase();
  const scored = known.map((each) => ({ each, edits: editsBetween(typed, each.toLowerCase()) }));
  const [best] = scored.toSorted((a, b) => a.edits - b.edits);
  if (best && best.edits <= Math.min(maxEdits, Math.floor(word.length / 2))) return best.each;
  const wholes = known.filter((each) => isPartOf(typed, each.toLowerCase()));
  return wholes.toSorted((a, b) => a.length - b.length)[0];
};

/** Whether an error message can quote it: only a short word without digits, never a payload or a secret. */
const isQuotable = (name: string): boolean => /^\w{1,64}$/.test(name) && !/\d/.test(name);

/** The word in quotes, or `fallback` when a message must not quote it. */
export const quoted = (word: unknown, fallback: string): string =>
  typeof word === 'string' && isQuotable(word) ? `'${word}'` : fallback;

/** `; did you mean 'payed'?`, or `; use one of …`. */
export const hint = (word: unknown, known: readonly string[]): string => {
  const meant = typeof word === 'string' ? closestWord(word, known) : undefined;
  return meant === undefined ? `; use one of ${known.join(', ')}.` : `; did you mean '${meant}'?`;
};

/**
 * The problem of the first name in `given` that is not `known`, such as `there is no option 'keyz'; did you mean
 * 'keys'?`. `elsewhere`: names in other places, such as `advanced.keys`.
 */
export const unknownName = (
  kind: 'field' | 'option' | 'pair',
  given: object,
  known: readonly string[],
  elsewhere: readonly string[] = [],
): string | undefined => {
  const name = Object.keys(given).find((each) => !known.includes(each));
  if (name === undefined) return undefined;
  const moved = elsewhere.find((each) => each.endsWith(`.${name}`));
  const remedy = moved === undefined ? hint(name, known) : `; did you mean '${moved}'?`;
  return `there is no ${kind} ${quoted(name, 'of that name')}${remedy}`;
};
