import { html, nothing, type TemplateResult } from 'lit';
import { fieldErrors } from '../field-errors.ts';
import type { AlertSettings, Portal } from '../portal.ts';
import { Action } from './action.ts';
import { actionButton } from './button.ts';
import { textField } from './field.ts';
import { fieldText } from './form-values.ts';
import { card } from './heading.ts';
import { failureOf } from './notice.ts';
import { define, PortalPart } from './portal-part.ts';
import { Resource } from './resource.ts';
import { withData } from './with-data.ts';

/** The address to which the platform sends alerts of the account. */
class AlertAddress extends PortalPart {
  readonly #action = new Action(this);
  readonly #settings = new Resource<AlertSettings>(this, {
    name: () => 'alerts',
    read: async (api, signal) => (await api.call<AlertSettings>('GET', ['alerts'], { signal })).body,
  });

  async #save(event: Event): Promise<void> {
    event.preventDefault();
    const { portal } = this;
    const address = fieldText(event.target, 'address').trim();
    if (!(await this.#action.run(() => portal.api.call('PUT', ['alerts'], { body: { address } })))) return;
    portal.announce(portal.texts.t('saved'));
    await this.#settings.load();
  }

  #form(address: string | undefined): TemplateResult {
    const { texts } = this.portal;
    const action = this.#action;
    const error = action.error && fieldErrors(texts, action.error)['address'];
    return html`<form class="column" novalidate @submit=${this.#save}>
      ${textField('alert-address', 'address', texts.t('alerts.address'), {
        ...{ value: address ?? '', hint: texts.t('alerts.hint'), error },
      })}
      ${error === undefined ? failureOf(texts, action) : nothing}
      <div class="buttons">${actionButton(action, texts.t('save'), { type: 'submit' })}</div>
    </form>`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    return card(
      t('alerts'),
      withData(
        texts,
        this.#settings,
        ({ address }) =>
          html`<p data-alerts=${address === undefined ? 'off' : 'on'}>
              ${address === undefined ? t('alerts.off') : t('alerts.on', { address })}
            </p>
            ${portal.can('alerts', 'write') ? this.#form(address) : nothing}`,
      ),
    );
  }
}

define('partnerkit-alert-address', AlertAddress);

/** @internal */
export const alertAddress = (portal: Portal): TemplateResult =>
  html`<partnerkit-alert-address .portal=${portal}></partnerkit-alert-address>`;
