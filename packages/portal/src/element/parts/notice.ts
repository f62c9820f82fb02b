import { html, nothing, type TemplateResult } from 'lit';
import type { ApiError } from '../api.ts';
import type { Texts } from '../i18n.ts';
import type { Action } from './action.ts';

/** What a template can hold. @internal */
export type Content = TemplateResult | string | typeof nothing;

/** What went wrong and what to do, as text. @internal */
export const errorText = ({ t, find }: Texts, { code, message }: ApiError): string =>
  find(
    'problem',
    code,
    code === 'unexpected' ? `${t('problem.other')} (${message})` : t('problem.refused', { detail: message }),
  );

/** A message in a box, with what to do beside it. @internal */
export const notice = (
  kind: 'info' | 'warning' | 'error' | 'success',
  content: Content,
  actions: Content = nothing,
): TemplateResult =>
  html`<div class="notice ${kind}" part="notice" role=${kind === 'error' ? 'alert' : 'status'}>
    <div>${content}</div>
    ${actions === nothing ? nothing : html`<div class="row">${actions}</div>`}
  </div>`;

/** The failure of an action, if it failed. @internal */
export const failureOf = (texts: Texts, { error }: Action): Content => {
  if (!error) return nothing;
  const fields = error.fields.map(({ detail }) => texts.find('detail', detail, detail));
  return notice('error', [errorText(texts, error), ...fields].join(' '));
};

/** What stands where a list is empty. @internal */
export const emptyState = (title: string, text: string, action: Content = nothing): TemplateResult =>
  html`<div class="empty" part="empty"><h3>${title}</h3><p>${text}</p>${action}</div>`;

/** Takes the room of a list while it is read. @internal */
export const skeleton = ({ t }: Texts): TemplateResult =>
  html`<div class="skeleton" role="status"><span class="hidden">${t('loading')}</span><i></i><i></i><i></i></div>`;
