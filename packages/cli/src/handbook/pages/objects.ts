import type { Schema } from '../document.ts';
import { type Field, fieldsOf } from '../fields.ts';
import { code, paragraphs } from '../markdown.ts';
import type { PlatformObject } from '../platform.ts';
import { fieldTable } from './field-table.ts';
import { type PageSource, places, type WritePage } from './page.ts';
import { createValueTables, type ValueTables } from './value-tables.ts';

/** Each field of an object, with the event types that send it. */
const fieldsOfObject = ({ events }: PlatformObject, { platform }: PageSource) => {
  const found = new Map<string, { readonly field: Field; readonly types: string[] }>();
  for (const { name, data } of events)
    for (const field of fieldsOf(data ?? ({} satisfies Schema), platform.reader)) {
      const known = found.get(field.path);
      if (known) known.types.push(name);
      else found.set(field.path, { field, types: [name] });
    }
  return found;
};

const sectionOf = (object: PlatformObject, source: PageSource, values: ValueTables): readonly string[] => {
  const { t } = source.texts;
  const found = fieldsOfObject(object, source);
  const note = ({ path }: Field): string | undefined => {
    const types = found.get(path)?.types ?? [];
    return types.length === object.events.length
      ? undefined
      : t('objects.only', { events: types.map(code).join(', ') });
  };
  // A field that some events lack is not always present.
  const fields = [...found.values()].map(({ field, types }) => ({
    ...field,
    isRequired: field.isRequired && types.length === object.events.length,
  }));
  return [
    `## ${object.name}`,
    t('objects.sent', { events: object.events.map(({ name }) => code(name)).join(', ') }),
    fields.length > 0
      ? fieldTable(fields, { texts: source.texts, isSent: false, values }, note)
      : t('objects.open', places),
  ];
};

/** Each object of which events are sent, with its fields. */
export const objectsPage: WritePage = (source) => {
  const { platform, texts } = source;
  if (platform.objects.length === 0) return undefined;
  const values = createValueTables(texts);
  return paragraphs([
    texts.t('objects.intro', { name: platform.name }),
    ...platform.objects.flatMap((object) => sectionOf(object, source, values)),
    ...values.sections(),
  ]);
};
