import type { ApiError } from './api.ts';
import type { Texts } from './i18n.ts';

/** A rule of the server in the language of the reader. Some rules name values of the platform. */
const ruleText = ({ t, find }: Texts, detail: string): string => {
  const ports = /^must use one of the ports (.+)\.$/.exec(detail)?.[1];
  if (ports !== undefined) return t('detail.ports', { ports });
  if (detail.startsWith('this address is not public')) return t('detail.not-public');
  if (detail.startsWith('neither an event type')) return t('detail.not-selectable');
  return find('detail', detail, detail);
};

/**
 * The first error of each field that the server refused. Fields of the API key are `deliveryHeader-name` and
 * `deliveryHeader-value`.
 * @internal
 */
export const fieldErrors = (texts: Texts, { fields }: ApiError): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields.toReversed().map(({ pointer, detail }) => {
      const [, name = ''] = pointer.split('/');
      return [name === 'deliveryHeader' ? pointer.slice(1).replace('/', '-') : name, ruleText(texts, detail)];
    }),
  );
