import type { DocumentReader, PlacedOperation, Schema } from '../document.ts';
import { code } from '../markdown.ts';
import type { Texts } from '../texts/texts.ts';
import type { PageSource } from './page.ts';

/** The parameters of the query of an operation. */
export const queryOf = ({ parameters = [] }: PlacedOperation, reader: DocumentReader) =>
  parameters.map((each) => reader.parameter(each)).filter((each) => each.in === 'query');

/** What a parameter accepts. */
const valuesOf = (schema: Schema, texts: Texts): string => {
  const { t } = texts;
  const values = schema.enum ?? schema.items?.enum;
  if (values) return values.map((each) => code(String(each))).join(', ');
  if (schema.type === 'boolean') return '`true`, `false`';
  const { minimum, maximum } = schema;
  if (minimum === undefined || maximum === undefined) return t('kind.text');
  // Seconds since 1970 are explained.
  return maximum > 1e9 ? t('kind.integer') : t('lists.range', { minimum, maximum });
};

/** The parameters of queries, each once: its values, its default and its meaning. */
export const queryRows = (
  operations: readonly PlacedOperation[],
  { platform: { reader }, texts }: PageSource,
): readonly (readonly string[])[] => {
  const rows = operations
    .flatMap((each) => queryOf(each, reader))
    .map(({ name = '', description = '', schema = {} }) => [
      code(name),
      valuesOf(schema, texts),
      schema.default === undefined ? '' : code(String(schema.default)),
      texts.described(description),
    ]);
  return [...new Map(rows.map((row) => [row.join(' '), row])).values()];
};
