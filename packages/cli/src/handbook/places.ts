import { createHash } from 'node:crypto';

/** The line before a text of the host, and the line behind it. What stands between them survives every run. */
const beginPattern = /<!-- yours: ([a-z-]+) -->\n/;
const end = '<!-- /yours -->\n';
const markPattern = /<!-- yours: [a-z-]+ -->|<!-- \/yours -->/g;
const sealPattern = /<!-- partnerkit handbook ([0-9a-f]{16}) -->\n/;

/** Replaces each place, its two lines included. A place without an end stays. */
const replacePlaces = (text: string, replace: (name: string, own: string) => string): string => {
  const [head = '', ...parts] = text.split(beginPattern);
  const replaced = parts.map((part, index) => {
    // Names and what follows them take turns.
    if (index % 2 === 0) return '';
    const [name = '', length] = [parts[index - 1], part.indexOf(end)];
    if (length < 0) return `<!-- yours: ${name} -->\n${part}`;
    return replace(name, part.slice(0, length)) + part.slice(length + end.length);
  });
  return [head, ...replaced].join('');
};

/** An empty place, or one with a text. The text ends with a line end, or is empty. */
const placeText = (name: string, text: string): string => `<!-- yours: ${name} -->\n${text}${end}`;

export const emptyPlace = (name: string): string => placeText(name, '');

/** The names of the places that each page has: below its title, and at its end. */
export const placeNames = ['beginning', 'end'] as const;

/** What is written, without what is the host's: places can be filled, or gone. */
const generatedPart = (text: string): string =>
  replacePlaces(text, () => '')
    .replace(sealPattern, '')
    .replace(/\n+/g, '\n');

const sealOf = (text: string): string => createHash('sha256').update(generatedPart(text)).digest('hex').slice(0, 16);

/** A page with the seal by which the next run notices a change outside of the places. */
export const sealed = (text: string): string => `${text}<!-- partnerkit handbook ${sealOf(text)} -->\n`;

/** A page of an earlier run. */
export interface EarlierPage {
  /** The texts of the host, by the name of their place. */
  readonly own: ReadonlyMap<string, string>;
  /** The page without them was written by an earlier run, and by nobody else. */
  readonly isUntouched: boolean;
}

/** Reads a page of an earlier run. `undefined`: its places cannot be told apart. */
export const readEarlier = (text: string): EarlierPage | undefined => {
  const own = new Map<string, string>();
  replacePlaces(text, (name, found) => {
    own.set(name, found);
    return '';
  });
  const marks = [...text.matchAll(markPattern)].length;
  if (marks !== 2 * own.size) return undefined;
  const seal = sealPattern.exec(text)?.[1];
  return { own, isUntouched: seal !== undefined && seal === sealOf(text) };
};

/** A page with the texts of the host in its places. */
export const withOwn = (page: string, own: ReadonlyMap<string, string>): string =>
  replacePlaces(page, (name) => placeText(name, own.get(name) ?? ''));

/** The page as readers see it, without the marks. */
export const withoutMarks = (page: string): string =>
  replacePlaces(page, (_name, own) => own)
    .replace(sealPattern, '')
    .replace(/\n{3,}/g, '\n\n');
