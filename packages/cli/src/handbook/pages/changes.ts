import { fieldsOf } from '../fields.ts';
import { code, paragraphs, table } from '../markdown.ts';
import { type PageSource, places, type WritePage } from './page.ts';

const rowsOf = ({ platform, texts }: PageSource): readonly (readonly string[])[] => {
  const { t } = texts;
  const operations = platform.operations
    .filter(({ deprecated }) => deprecated === true)
    .map(({ method, path }) => [t('changes.operation', { operation: `${method} ${path}` }), t('changes.deprecated')]);
  const fields = platform.objects.flatMap(({ name, events }) => {
    const paths = events.flatMap(({ data }) =>
      data ? fieldsOf(data, platform.reader).flatMap(({ isDeprecated, path }) => (isDeprecated ? [path] : [])) : [],
    );
    return [...new Set(paths)].map((field) => [
      t('changes.field', { field, object: code(name) }),
      t('changes.deprecated'),
    ]);
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
  return [...signatures, ...operations, ...fields];
};

/** What ends. Without anything that ends, there is no page. */
export const changesPage: WritePage = (source) => {
  const { t } = source.texts;
  const rows = rowsOf(source);
  if (rows.length === 0) return undefined;
  return paragraphs([t('changes.intro'), table([t('head.part'), t('head.change')], rows)]);
};
