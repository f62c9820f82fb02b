import { html, nothing, type TemplateResult } from 'lit';
import type { Action } from './action.ts';
import type { ApiError } from './api.ts';
import type { MessageKey, Texts } from './i18n.ts';
import type { Portal } from './portal.ts';
import type { Resource } from './resource.ts';

type Content = TemplateResult | string | typeof nothing;

/** What went wrong and what to do, as text. @internal */
export const errorText = ({ t, find }: Texts, { code, message }: ApiError): string =>
  find('problem', code, `${t('problem.other')} (${code}: ${message})`);

/** A message in a box. @internal */
export const notice = (kind: 'info' | 'warning' | 'error' | 'success', content: Content): TemplateResult =>
  html`<div class="notice ${kind}" part="notice" role=${kind === 'error' ? 'alert' : 'status'}>${content}</div>`;

/** The failure of an action, if it failed. @internal */
export const failureOf = (texts: Texts, { error }: Action): Content => {
  if (!error) return nothing;
  const fields = error.fields.map(({ detail }) => texts.find('detail', detail, detail));
  return notice('error', [errorText(texts, error), ...fields].join(' '));
};

/** Data, or what is shown in its place. Data that could not be read again stays, with a remark. @internal */
export const withData = <T>(
  portal: Portal,
  resource: Resource<T>,
  render: (value: T) => TemplateResult,
): TemplateResult => {
  const { texts } = portal;
  const { value, error } = resource;
  const retry = (): void => void resource.load();
  if (value === undefined && error)
    return html`<div class="panel">
      ${notice('error', errorText(texts, error))}
      <button type="button" @click=${retry}>${texts.t('retry')}</button>
    </div>`;
  if (value === undefined) return skeleton(texts);
  return html`${
    error
      ? notice(
          'warning',
          html`${texts.t('stale')} ${errorText(texts, error)}
            <button type="button" class="small" @click=${retry}>${texts.t('retry')}</button>`,
        )
      : nothing
  }${render(value)}`;
};

/** Takes the room of a list while it is read. @internal */
export const skeleton = ({ t }: Texts): TemplateResult =>
  html`<div class="skeleton" role="status"><span class="hidden">${t('loading')}</span><i></i><i></i><i></i></div>`;

/** What stands where a list is empty. @internal */
export const emptyState = (title: string, text: string, action: Content = nothing): TemplateResult =>
  html`<div class="empty" part="empty"><h3>${title}</h3><p>${text}</p>${action}</div>`;

/** A time. @internal */
export const moment = (texts: Texts, seconds: number): TemplateResult =>
  html`<time datetime=${new Date(seconds * 1_000).toISOString()}>${texts.dateTime(seconds)}</time>`;

/** A short state with a colour. @internal */
export const badge = (kind: 'good' | 'bad' | 'warning' | 'neutral', text: string): TemplateResult =>
  html`<span class="badge ${kind}" part="badge">${text}</span>`;

/** A button that shows that its action runs. @internal */
export const actionButton = (
  { isPending }: Action,
  label: string,
  options: {
    readonly kind?: 'primary' | 'danger' | 'plain';
    readonly type?: 'button' | 'submit';
    readonly onClick?: () => void;
    readonly isDisabled?: boolean;
  } = {},
): TemplateResult =>
  html`<button
    type=${options.type ?? 'button'}
    class=${options.kind ?? 'plain'}
    part="button ${options.kind ?? 'plain'}"
    aria-disabled=${isPending || options.isDisabled === true ? 'true' : 'false'}
    aria-busy=${isPending ? 'true' : 'false'}
    @click=${(event: Event) => {
      if (isPending || options.isDisabled === true) event.preventDefault();
      else options.onClick?.();
    }}
  >
    ${label}
  </button>`;

/** A labelled field with its hint and its error. @internal */
export const field = (
  id: string,
  label: string,
  control: TemplateResult,
  { hint, error }: { readonly hint?: string | undefined; readonly error?: string | undefined } = {},
): TemplateResult =>
  html`<div class="field">
    <label for=${id}>${label}</label>
    ${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`} ${control}
    <p class="error" id="${id}-error" aria-live="polite">${error ?? nothing}</p>
  </div>`;

/** The ids of what describes a field. @internal */
export const describedBy = (id: string, hasHint: boolean): string => `${hasHint ? `${id}-hint ` : ''}${id}-error`;

/** A text with a button that copies it. @internal */
export const copyable = (portal: Portal, label: string, text: string, isSecret = false): TemplateResult => {
  const { t } = portal.texts;
  const copy = async (event: Event): Promise<void> => {
    const code = (event.currentTarget as HTMLElement).previousElementSibling;
    try {
      await navigator.clipboard.writeText(text);
      portal.announce(t('copied'));
    } catch {
      // Without the right to write to the clipboard, the person copies the selected text.
      if (code) getSelection()?.selectAllChildren(code);
      portal.announce(t('select-to-copy'));
    }
  };
  return html`<div class="copyable">
    <span class="label">${label}</span>
    <code part=${isSecret ? 'secret' : 'code'}>${text}</code>
    <button type="button" class="small" aria-label=${`${t('copy')}: ${label}`} @click=${copy}>${t('copy')}</button>
  </div>`;
};

/** The buttons of a dialog. @internal */
export const dialogButtons = (...buttons: readonly Content[]): TemplateResult =>
  html`<div class="buttons">${buttons}</div>`;

/** Asks before something happens that cannot be undone at once. @internal */
export const confirmation = (
  portal: Portal,
  {
    title,
    text,
    confirm,
    act,
  }: {
    readonly title: string;
    readonly text: Content;
    readonly confirm: MessageKey;
    readonly act: () => Promise<void>;
  },
): void => {
  const action = portal.action();
  const { texts } = portal;
  portal.open({
    title,
    render: () => html`<p>${text}</p>
      ${failureOf(texts, action)}
      ${dialogButtons(
        html`<button type="button" @click=${() => portal.close()}>${texts.t('cancel')}</button>`,
        actionButton(action, texts.t(confirm), {
          kind: 'danger',
          onClick: async () => {
            if (await action.run(act)) portal.close();
          },
        }),
      )}`,
  });
};
