import type { Field, FieldKind } from '../fields.ts';
import { code, table } from '../markdown.ts';
import type { Texts } from '../texts/texts.ts';
import type { ValueTables } from './value-tables.ts';

const kindText = (kind: FieldKind, texts: Texts): string => {
  switch (kind.kind) {
    case 'list':
      return texts.t('kind.list', { of: kindText(kind.of, texts) });
    case 'values':
      return kind.values.length === 1
        ? code(kind.values[0] ?? '')
        : texts.t('kind.values', { values: kind.values.map(code).join(', ') });
    default:
      return texts.t(`kind.${kind.kind}`);
  }
};

interface FieldTableOptions {
  readonly texts: Texts;
  readonly isSent: boolean;
  /** Where long lists of values are explained. */
  readonly values: ValueTables;
}

/** A table of fields: of a body to send, or of what is received. `note` adds a sentence about a field. */
export const fieldTable = (
  fields: readonly Field[],
  { texts, isSent, values: tables }: FieldTableOptions,
  note: (field: Field) => string | undefined = () => undefined,
): string => {
  const { t } = texts;
  const typeOf = (field: Field): string => {
    const place = tables.placeOf(field);
    if (place === undefined) return kindText(field.kind, texts);
    const values = t('kind.values-at', { place });
    return field.kind.kind === 'list' ? t('kind.list', { of: values }) : values;
  };
  const meaning = (field: Field): string => {
    const description = tables.descriptionOf(field);
    return [
      field.ending === '' ? t('label.deprecated') : undefined,
      description === undefined ? undefined : texts.described(description),
      note(field),
    ]
      .filter((part) => part !== undefined)
      .join(' ');
  };
  return table(
    [t('head.field'), t('head.type'), t(isSent ? 'head.required' : 'head.always'), t('head.meaning')],
    fields.map((field) => [code(field.path), typeOf(field), field.isRequired ? t('label.yes') : '', meaning(field)]),
  );
};
