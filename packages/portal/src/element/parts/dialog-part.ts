import { html, type TemplateResult } from 'lit';
import { Action } from './action.ts';
import { actionButton, plainButton } from './button.ts';
import { type Content, failureOf } from './notice.ts';
import { define, PortalPart } from './portal-part.ts';

/** A dialog. What it knows ends with it. @internal */
export abstract class DialogPart extends PortalPart {
  static override properties = { ...PortalPart.properties, onDone: { attribute: false } };

  /** Runs when the dialog has reached what it is for. */
  declare onDone: () => void;
  readonly action = new Action(this);

  protected abstract get heading(): string;
  protected abstract content(): TemplateResult;
  /** Whether a person may close it now. `false` for a secret that nobody has confirmed to have stored. */
  protected canClose(): boolean {
    return true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onDone ??= () => undefined;
  }

  /** Closes it, if a person may. */
  readonly leave = (): void => {
    if (this.canClose()) this.portal.close();
  };

  /** Runs the action of the dialog, and closes it when that succeeded. */
  protected async finish(act: () => Promise<unknown>, then?: () => void): Promise<void> {
    if (!(await this.action.run(act))) return;
    this.portal.close();
    then?.();
    this.onDone();
  }

  protected buttons(...all: readonly Content[]): TemplateResult {
    return html`<div class="buttons">${all}</div>`;
  }

  protected cancelButton(): TemplateResult {
    return plainButton(this.portal.texts.t('cancel'), this.leave);
  }

  protected override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    return html`<dialog
      part="dialog"
      aria-labelledby="dialog-title"
      @cancel=${(event: Event) => {
        event.preventDefault();
        this.leave();
      }}
      @keydown=${(event: KeyboardEvent) => {
        // Browsers close a dialog on the second Escape, whatever its listeners prevent.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        this.leave();
      }}
    >
      <h2 id="dialog-title">${this.heading}</h2>
      ${this.content()}
    </dialog>`;
  }
}

/** What a confirmation says and does. @internal */
export interface Confirmed {
  readonly title: string;
  readonly text: Content;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
}

/** Asks before something happens that cannot be undone at once. */
class Confirmation extends DialogPart {
  static override properties = { ...DialogPart.properties, confirmed: { attribute: false } };

  declare confirmed: Confirmed;

  protected override get heading(): string {
    return this.confirmed.title;
  }

  protected override content(): TemplateResult {
    const { text, confirm, isDangerous, act } = this.confirmed;
    return html`<p>${text}</p>
      ${failureOf(this.portal.texts, this.action)}
      ${this.buttons(
        this.cancelButton(),
        actionButton(this.action, confirm, {
          kind: isDangerous === false ? 'primary' : 'danger',
          onClick: () => void this.finish(act, this.confirmed.onDone),
        }),
      )}`;
  }
}

define('partnerkit-confirmation', Confirmation);

/** @internal */
export const confirmation = (portal: PortalPart['portal'], confirmed: Confirmed): void =>
  portal.open(html`<partnerkit-confirmation .portal=${portal} .confirmed=${confirmed}></partnerkit-confirmation>`);
