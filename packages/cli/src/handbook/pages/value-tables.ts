import { type Field, sentencesOf } from '../fields.ts';
import { code, table } from '../markdown.ts';
import type { Texts } from '../texts/texts.ts';

/** Fewer values are explained where the field is. */
const fewest = 4;

/** What the values of the fields of a page mean: each set of values once, behind the tables of fields. */
export interface ValueTables {
  /** Where the values of a field are explained. `undefined`: with the field. */
  placeOf(field: Field): string | undefined;
  /** The description of a field without its values. */
  descriptionOf(field: Field): string | undefined;
  /** The tables that were named, each below a heading. */
  sections(): readonly string[];
}

/** The anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\d _-]/gu, '')
    .replaceAll(' ', '-');

/** The sentences of a description that explain a value begin with it. */
const withoutValues = ({ description = '', meanings }: Field): string =>
  sentencesOf(description)
    .filter((sentence) => !Object.keys(meanings).some((value) => sentence.startsWith(`\`${value}\`: `)))
    .join(' ');

export const createValueTables = (texts: Texts): ValueTables => {
  const found = new Map<string, { readonly heading: string; readonly meanings: Field['meanings'] }>();
  const isLong = ({ meanings }: Field): boolean => Object.keys(meanings).length > fewest;
  const headingOf = (path: string): string => {
    const field = path.split('.').at(-1)?.replace('[]', '') ?? path;
    const alike = [...found.values()].filter(({ heading }) => heading.includes(code(field))).length;
    const heading = texts.t('values.heading', { field: code(field) });
    return alike === 0 ? heading : `${heading} (${alike + 1})`;
  };
  return {
    placeOf: (field) => {
      if (!isLong(field)) return undefined;
      const key = JSON.stringify(field.meanings);
      const known = found.get(key) ?? { heading: headingOf(field.path), meanings: field.meanings };
      found.set(key, known);
      return `#${anchorOf(known.heading)}`;
    },
    descriptionOf: (field) => (isLong(field) ? withoutValues(field) || undefined : field.description),
    sections: () =>
      [...found.values()].flatMap(({ heading, meanings }) => [
        `### ${heading}`,
        table(
          [texts.t('head.value'), texts.t('head.meaning')],
          Object.entries(meanings).map(([value, meaning]) => [code(value), texts.described(meaning)]),
        ),
      ]),
  };
};
