import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { define, PortalPart } from './portal-part.ts';

/** One thing of a menu. @internal */
export interface MenuItem {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly act: () => void;
}

/** What a person does more rarely, behind one button. */
class Menu extends PortalPart {
  static override properties = { ...PortalPart.properties, items: { attribute: false }, isOpen: { state: true } };

  declare items: readonly MenuItem[];
  declare isOpen: boolean;

  constructor() {
    super();
    this.items = [];
    this.isOpen = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('menu');
    this.addEventListener('focusout', this.#onFocusOut);
    this.addEventListener('keydown', this.#onKey);
  }

  readonly #onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (!this.contains(relatedTarget as Node | null)) this.isOpen = false;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.isOpen) {
      event.stopPropagation();
      this.#close();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || !this.isOpen) return;
    event.preventDefault();
    const all = [...this.querySelectorAll<HTMLElement>(':scope > ul button')];
    const at = all.indexOf((this.getRootNode() as ShadowRoot).activeElement as HTMLElement);
    all.at((at + step + all.length) % all.length)?.focus();
  };

  #close(): void {
    this.isOpen = false;
    this.querySelector('button')?.focus();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('isOpen') && this.isOpen) this.querySelector<HTMLElement>(':scope > ul button')?.focus();
  }

  override render(): TemplateResult {
    return html`<button
        type="button"
        part="button"
        aria-expanded=${this.isOpen ? 'true' : 'false'}
        @click=${() => {
          this.isOpen = !this.isOpen;
        }}
      >
        ${this.portal.texts.t('more')} <span aria-hidden="true">▾</span>
      </button>
      ${
        this.isOpen
          ? html`<ul>
            ${this.items.map(
              ({ label, isDangerous, act }) =>
                html`<li>
                  <button
                    type="button"
                    class=${isDangerous ? 'danger' : ''}
                    @click=${() => {
                      this.#close();
                      act();
                    }}
                  >
                    ${label}
                  </button>
                </li>`,
            )}
          </ul>`
          : nothing
      }`;
  }
}

define('partnerkit-menu', Menu);

/** A button that opens a menu. @internal */
export const menu = (portal: PortalPart['portal'], items: readonly MenuItem[]): TemplateResult | typeof nothing =>
  items.length === 0 ? nothing : html`<partnerkit-menu .portal=${portal} .items=${items}></partnerkit-menu>`;
