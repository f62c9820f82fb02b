import { endingOf } from '../document.ts';
import { fieldsOf } from '../fields.ts';
import { code, paragraphs, table } from '../markdown.ts';
import { type PageSource, places, type WritePage } from './page.ts';

const rowsOf = ({ platform, texts }: PageSource): readonly (readonly string[])[] => {
  const { t } = texts;
  /** The row of something that ends. A host may say that it is deprecated, and not when. */
  const row = (part: string, ending: string | undefined): readonly (readonly string[])[] =>
    ending === undefined ? [] : [[part, ending === '' ? t('changes.deprecated') : texts.described(ending)]];
  const operations = platform.operations.flatMap((operation) =>
    row(t('changes.operation', { operation: `${operation.method} ${operation.path}` }), endingOf(operation)),
  );
  const events = platform.objects.flatMap((object) =>
    object.events.flatMap(({ name, ending }) => row(t('changes.event', { event: `${object.name}.${name}` }), ending)),
  );
  const fields = platform.objects.flatMap(({ name, events: each }) => {
    const all = each.flatMap(({ data }) => (data ? fieldsOf(data, platform.reader) : []));
    const endings = new Map(all.map(({ path, ending }) => [path, ending]));
    return [...endings].flatMap(([field, ending]) => row(t('changes.field', { field, object: code(name) }), ending));
  });
  const signatures = platform.settings.webhooks.signatures.flatMap(({ until, documents }) =>
    until === undefined
      ? []
      : [
          [
            t('changes.signature', { header: Object.keys(documents).join(', ') }),
            t('changes.signature-end', { date: new Date(until).toISOString().slice(0, 10), ...places }),
          ],
        ],
  );
  return [...signatures, ...operations, ...events, ...fields];
};

/** What ends. Without anything that ends, there is no page. */
export const changesPage: WritePage = (source) => {
  const { t } = source.texts;
  const rows = rowsOf(source);
  if (rows.length === 0) return undefined;
  return paragraphs([t('changes.intro'), table([t('head.part'), t('head.change')], rows)]);
};
