import { html, nothing } from 'lit';
import type { Dialog, Portal } from './portal.ts';
import { copyable, dialogButtons, notice } from './templates.ts';

/** Shows a secret once. It is forgotten when the dialog closes, and the dialog closes only on purpose. @internal */
export const openSecret = (
  portal: Portal,
  {
    title,
    intro,
    values,
    label,
    secret,
    warning,
    onDone,
  }: {
    readonly title: string;
    readonly intro: string;
    /** What belongs to the secret and is no secret, with labels. */
    readonly values?: readonly (readonly [string, string])[];
    readonly label: string;
    readonly secret: string;
    readonly warning?: string | undefined;
    readonly onDone?: () => void;
  },
): void => {
  const { t } = portal.texts;
  let shown: string | undefined = secret;
  let isStored = false;
  let isReminded = false;
  const dialog: Dialog = {
    title,
    canClose: () => {
      isReminded = !isStored;
      portal.update();
      return isStored;
    },
    onClose: () => {
      shown = undefined;
      onDone?.();
    },
    render: () => html`<p>${intro}</p>
      ${warning === undefined ? nothing : notice('warning', warning)}
      ${(values ?? []).map(([name, value]) => copyable(portal, name, value))}
      ${shown === undefined ? nothing : copyable(portal, label, shown, true)}
      ${notice('info', t('secret.once'))}
      <label class="check"
        ><input
          type="checkbox"
          .checked=${isStored}
          @change=${(event: Event) => {
            isStored = (event.target as HTMLInputElement).checked;
            portal.update();
          }}
        />
        ${t('secret.stored')}</label
      >
      ${isReminded && !isStored ? notice('error', t('secret.reminder')) : nothing}
      ${dialogButtons(
        html`<button
          type="button"
          class="primary"
          part="button primary"
          aria-disabled=${isStored ? 'false' : 'true'}
          @click=${() => {
            if (dialog.canClose?.()) portal.close();
          }}
        >
          ${t('done')}
        </button>`,
      )}`,
  };
  portal.open(dialog);
};
