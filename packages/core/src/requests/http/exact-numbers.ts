/** A decimal number of JSON without what does not change its value; no two texts of one value differ. */
const normal = (text: string): string | undefined => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  let [begin, end] = [0, digits.length];
  // By hand: a pattern would look at a long row of zeros once for each of them.
  while (digits[begin] === '0') begin++;
  while (end > begin && digits[end - 1] === '0') end--;
  if (whole === '') return undefined;
  return begin === end
    ? '0'
    : `${sign}${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
};

/** Whether the number that JavaScript reads is the number that is written, digit by digit. */
const isExact = (literal: string): boolean => normal(literal) === normal(String(Number(literal)));

/**
 * Valid JSON in which each number that JavaScript would round is replaced by an empty list. No field takes one, so the number is refused
 * where it stands: 10.000000000000000001 would be read as 10.
 * @internal
 */
export const refuseRounded = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') || isExact(token) ? token : '[]',
  );
