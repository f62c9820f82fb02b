import { html, nothing, type TemplateResult } from 'lit';
import { copyable } from '../parts/copyable.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { checkField } from '../parts/field.ts';
import { notice } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import type { Portal } from '../portal.ts';

/** A secret that is shown once. @internal */
export interface ShownSecret {
  readonly title: string;
  readonly intro: string;
  /** What belongs to the secret and is no secret, with labels. */
  readonly values?: readonly (readonly [string, string])[];
  readonly label: string;
  readonly secret: string;
  readonly warning?: string | undefined;
}

/** Shows a secret once. It is forgotten when the dialog closes, and the dialog closes only on purpose. */
class Secret extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    shown: { attribute: false },
    isStored: { state: true },
    isReminded: { state: true },
  };

  declare shown: ShownSecret | undefined;
  declare isStored: boolean;
  declare isReminded: boolean;

  constructor() {
    super();
    this.isStored = false;
    this.isReminded = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.shown = undefined;
    // Nothing that still points at the element reaches the secret.
    this.replaceChildren();
  }

  protected override get heading(): string {
    return this.shown?.title ?? '';
  }

  protected override canClose(): boolean {
    this.isReminded = !this.isStored;
    return this.isStored;
  }

  readonly #finish = (): void => {
    if (!this.canClose()) return;
    const { onDone } = this;
    this.portal.close();
    onDone();
  };

  override readonly leave = (): void => this.#finish();

  protected override content(): TemplateResult {
    const { portal, shown } = this;
    const { t } = portal.texts;
    if (!shown) return html``;
    const { intro, warning, values = [], label, secret } = shown;
    return html`<p>${intro}</p>
      ${warning === undefined ? nothing : notice('warning', warning)}
      ${values.map(([name, value]) => copyable(portal, name, value))} ${copyable(portal, label, secret, true)}
      ${notice('info', t('secret.once'))}
      ${checkField(t('secret.stored'), {
        name: 'stored',
        isChecked: this.isStored,
        onChange: (isStored) => {
          this.isStored = isStored;
        },
      })}
      ${this.isReminded && !this.isStored ? notice('error', t('secret.reminder')) : nothing}
      ${this.buttons(
        html`<button
          type="button"
          class="primary"
          part="button primary"
          aria-disabled=${this.isStored ? 'false' : 'true'}
          @click=${this.#finish}
        >
          ${t('done')}
        </button>`,
      )}`;
  }
}

define('partnerkit-secret', Secret);

/** @internal */
export const openSecret = (portal: Portal, shown: ShownSecret, onDone: () => void = () => undefined): void =>
  portal.open(html`<partnerkit-secret .portal=${portal} .shown=${shown} .onDone=${onDone}></partnerkit-secret>`);
