import { html, nothing, type TemplateResult } from 'lit';
import type { Portal } from '../portal.ts';

type Copier = Pick<Portal, 'texts' | 'announce'>;

/** Copies a text. Without the right to write to the clipboard, the person copies the selected text. @internal */
export const copy = async ({ texts, announce }: Copier, text: string, shown?: Element | null): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    announce(texts.t('copied'));
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    announce(texts.t(shown ? 'select-to-copy' : 'copy-failed'));
  }
};

/** A text of one line with a button that copies it. @internal */
export const copyable = (portal: Copier, label: string, text: string, isSecret = false): TemplateResult => {
  const { t } = portal.texts;
  return html`<div class="copyable">
    <span class="label">${label}</span>
    <code part=${isSecret ? 'secret' : 'code'}>${text}</code>
    <button
      type="button"
      class="small"
      aria-label=${`${t('copy')}: ${label}`}
      @click=${(event: Event) => copy(portal, text, (event.currentTarget as Element).previousElementSibling)}
    >
      ${t('copy')}
    </button>
  </div>`;
};

/** Text as it is, with a button that copies it. @internal */
export const codeBlock = (portal: Copier, label: string, text: string): TemplateResult =>
  html`<div class="code">
    <pre tabindex="0" role="group" aria-label=${label}>${text}</pre>
    <button
      type="button"
      class="small"
      aria-label=${`${portal.texts.t('copy')}: ${label}`}
      @click=${(event: Event) => copy(portal, text, (event.currentTarget as Element).previousElementSibling)}
    >
      ${portal.texts.t('copy')}
    </button>
  </div>`;

/** Text as it is. @internal */
export const quote = (label: string, text: string): TemplateResult | typeof nothing =>
  text === '' ? nothing : html`<pre tabindex="0" role="group" aria-label=${label}>${text}</pre>`;
