/** Signs that have a name in HTML, or a second spelling in forms. */
const named: Readonly<Record<string, string>> = { ' ': '\\+', '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(2, '0');
const literal = (text: string): string => text.replace(/\W/g, (sign) => `\\x${hexOf(sign)}`);

/**
 * Finds a sign as it is, and as JSON, URLs, forms and HTML write it. No part of the pattern matches one text in two ways, or a receiver
 * could keep the worker busy with an answer.
 */
const anySpelling = (sign: string): string => {
  if (/\w/.test(sign)) return sign;
  const hex = hexOf(sign);
  const escaped = sign === '\\' ? '' : '\\\\?';
  const plain = [
    `${escaped}\\x${hex}`,
    `\\\\u00${hex}`,
    `%${hex}`,
    `&#x0{0,4}${hex};`,
    `&#0{0,4}${sign.charCodeAt(0)};`,
  ];
  return `(?:${[...plain, ...(named[sign] === undefined ? [] : [named[sign]])].join('|')})`;
};

/** The spelling of a sign that ends where it is looked for. */
const endings = new Map<string, RegExp>();
const endingOf = (sign: string): RegExp => {
  const known = endings.get(sign) ?? new RegExp(`(?<=(${anySpelling(sign)}))`, 'iy');
  endings.set(sign, known);
  return known;
};

/** A spelling of a sign that was cut in two. */
const halfSpelled = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&(?:#?\w{0,7}))$/i;
/** Fewer signs than this tell nothing. */
const fewest = 4;

/** Where the first `count` signs begin, if they all stand before `end`. */
const startOf = (signs: readonly RegExp[], count: number, text: string, end: number): number | undefined => {
  let at = end;
  for (let place = count - 1; place >= 0; place--) {
    const sign = signs[place] as RegExp;
    sign.lastIndex = at;
    const found = sign.exec(text)?.[1];
    if (found === undefined) return undefined;
    at -= found.length;
  }
  return at;
};

/** A secret that the end of what was read cuts in two. */
const withoutTail = (text: string, secret: string, signs: readonly RegExp[]): string => {
  const end = text.search(halfSpelled);
  for (let count = secret.length - 1; count >= fewest; count--) {
    // A backslash of the secret itself would be taken for the escape of the sign after it.
    const plain = text.endsWith(secret.slice(0, count)) ? text.length - count : undefined;
    const spelled = plain ?? startOf(signs, count, text, text.length);
    const start = spelled ?? (end < 0 ? undefined : startOf(signs, count, text, end));
    if (start !== undefined) return `${text.slice(0, start)}[redacted]`;
  }
  return text;
};

/**
 * Cuts a secret of visible ASCII out of texts, however its signs are spelled, and also where the end of the text cuts it in two.
 * @internal
 */
export const redacting = (secret: string): ((text: string) => string) => {
  const signs = Array.from(secret);
  const whole = new RegExp(`${literal(JSON.stringify(secret).slice(1, -1))}|${signs.map(anySpelling).join('')}`, 'gi');
  const ends = signs.map(endingOf);
  return (text) => (text === '' ? text : withoutTail(text.replace(whole, '[redacted]'), secret, ends));
};
