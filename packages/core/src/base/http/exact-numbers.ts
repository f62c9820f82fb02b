/** A decimal number of JSON in one canonical form: equal values have equal texts. */
const normal = (text: string): string | undefined => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  let [begin, end] = [0, digits.length];
  // A regular expression would take quadratic time on a long run of zeros.
  while (digits[begin] === '0') begin++;
  while (end > begin && digits[end - 1] === '0') end--;
  if (whole === '') return undefined;
  return begin === end
    ? '0'
    : `${sign}${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
};

/** Whether JavaScript reads the number without rounding. */
const isExact = (literal: string): boolean => normal(literal) === normal(String(Number(literal)));

/** What every rounded number has: 16 digits, the point counted, or an exponent. A double keeps 15 digits. */
const mayBeRounded = /[\d.]{16}|\d[eE]/;
// linear: in valid JSON, every string ends.
const stringsAndNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Replaces each number that JavaScript would round by an empty list. No field accepts a list, so the number is refused
 * in place: 10.000000000000000001 would be read as 10. The text is valid JSON.
 */
export const refuseRounded = (json: string): string =>
  mayBeRounded.test(json)
    ? json.replace(stringsAndNumbers, (token) => (token.startsWith('"') || isExact(token) ? token : '[]'))
    : json;
