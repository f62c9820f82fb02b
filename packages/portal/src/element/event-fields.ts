import { html, nothing, type TemplateResult } from 'lit';
import type { Texts } from './i18n.ts';
import { type CatalogueObject, pairOf, shareOf } from './selection.ts';

const isChecked = (event: Event): boolean => (event.target as HTMLInputElement).checked;

/** The events of an object as checkboxes, with one for all of them. @internal */
export const eventFields = (
  { t }: Texts,
  object: CatalogueObject,
  chosen: ReadonlySet<string>,
  choose: (pairs: readonly string[], isChosen: boolean) => void,
): TemplateResult => {
  const share = shareOf(object, chosen);
  const all = object.events.map(({ type }) => pairOf(object.objectName, type));
  return html`<fieldset>
      <legend>${object.objectName}</legend>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${share === 'all'}
          .indeterminate=${share === 'some'}
          @change=${(event: Event) => choose(all, isChecked(event))}
        />${t('form.all-of', { object: object.objectName })}</label
      >
      <div class="events">
        ${object.events.map(({ type, description }) => {
          const pair = pairOf(object.objectName, type);
          return html`<label class="check"
            ><input
              type="checkbox"
              name="pair"
              value=${pair}
              .checked=${chosen.has(pair)}
              @change=${(event: Event) => choose([pair], isChecked(event))}
            /><span
              >${type}${description === undefined ? nothing : html`<small class="muted"> ${description}</small>`}</span
            ></label
          >`;
        })}
      </div>
    </fieldset>`;
};
