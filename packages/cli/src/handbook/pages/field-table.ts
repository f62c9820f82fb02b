import type { Field, FieldKind } from '../fields.ts';
import { code, table } from '../markdown.ts';
import type { Texts } from '../texts/texts.ts';

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

/** A table of fields: of a body to send, or of what is received. `note` adds a sentence about a field. */
export const fieldTable = (
  fields: readonly Field[],
  { texts, isSent }: { readonly texts: Texts; readonly isSent: boolean },
  note: (field: Field) => string | undefined = () => undefined,
): string => {
  const { t } = texts;
  const meaning = (field: Field): string =>
    [
      field.ending === '' ? t('label.deprecated') : undefined,
      field.description === undefined ? undefined : texts.described(field.description),
      note(field),
    ]
      .filter((part) => part !== undefined)
      .join(' ');
  return table(
    [t('head.field'), t('head.type'), t(isSent ? 'head.required' : 'head.always'), t('head.meaning')],
    fields.map((field) => [
      code(field.path),
      kindText(field.kind, texts),
      field.isRequired ? t('label.yes') : '',
      meaning(field),
    ]),
  );
};
