import { html, nothing, type TemplateResult } from 'lit';
import type { ApiError } from '../api.ts';
import type { Texts } from '../i18n.ts';
import { errorText, notice, skeleton } from './notice.ts';

/** What is read, as far as it is known. @internal */
export interface Readable<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  load(): Promise<void>;
}

/** Data, or what is shown in its place. Data that could not be read again stays, with a remark. @internal */
export const withData = <T>(
  texts: Texts,
  resource: Readable<T>,
  render: (value: T) => TemplateResult,
): TemplateResult => {
  const { value, error } = resource;
  const retry = html`<button type="button" class="small" @click=${() => void resource.load()}>
    ${texts.t('retry')}
  </button>`;
  if (value === undefined) return error ? notice('error', errorText(texts, error), retry) : skeleton(texts);
  const remark = error ? notice('warning', `${texts.t('stale')} ${errorText(texts, error)}`, retry) : nothing;
  return html`${remark}${render(value)}`;
};
