import { html, nothing, type TemplateResult } from 'lit';
import { checkField } from '../parts/field.ts';
import { define, PortalPart } from '../parts/portal-part.ts';
import { type CatalogueObject, pairOf, pairsSelected, selectorsOf, shareOf } from '../selection.ts';

/** The choice of events: each object with its types. */
export class EventChoice extends PortalPart {
  static override properties = {
    ...PortalPart.properties,
    objects: { attribute: false },
    selectors: { attribute: false },
    error: { attribute: false },
    pairs: { state: true },
  };

  declare objects: readonly CatalogueObject[];
  /** What the endpoint selects now. */
  declare selectors: readonly string[];
  declare error: string | undefined;
  declare pairs: ReadonlySet<string> | undefined;

  get #chosen(): ReadonlySet<string> {
    return this.pairs ?? pairsSelected(this.objects, this.selectors);
  }

  /** What is chosen, as selectors. */
  get value(): readonly string[] {
    return selectorsOf(this.objects, this.#chosen, this.selectors);
  }

  #choose(changed: readonly string[], isChosen: boolean): void {
    const next = new Set(this.#chosen);
    for (const pair of changed) {
      if (isChosen) next.add(pair);
      else next.delete(pair);
    }
    this.pairs = next;
    this.error = undefined;
  }

  #object(object: CatalogueObject): TemplateResult {
    const { t } = this.portal.texts;
    const share = shareOf(object, this.#chosen);
    const all = object.events.map(({ type }) => pairOf(object.objectName, type));
    return html`<fieldset>
      <legend>${object.objectName}</legend>
      ${checkField(t('form.all-of', { object: object.objectName }), {
        name: 'all',
        isChecked: share === 'all',
        isIndeterminate: share === 'some',
        onChange: (isChosen) => this.#choose(all, isChosen),
      })}
      <div class="events">
        ${object.events.map(({ type, description }) => {
          const pair = pairOf(object.objectName, type);
          const text = description === undefined ? nothing : html`<small class="muted"> ${description}</small>`;
          return checkField(html`${type}${text}`, {
            name: 'pair',
            value: pair,
            isChecked: this.#chosen.has(pair),
            onChange: (isChosen) => this.#choose([pair], isChosen),
          });
        })}
      </div>
    </fieldset>`;
  }

  override render(): TemplateResult {
    const { t } = this.portal.texts;
    return html`<fieldset
      class="plain"
      tabindex="-1"
      aria-invalid=${this.error === undefined ? nothing : 'true'}
      aria-describedby="events-error"
    >
      <legend>${t('form.events')}</legend>
      <p class="hint">${t('form.events-hint')}</p>
      <p class="error" id="events-error" aria-live="polite">${this.error ?? nothing}</p>
      ${this.objects.map((object) => this.#object(object))}
    </fieldset>`;
  }
}

define('partnerkit-event-choice', EventChoice);
