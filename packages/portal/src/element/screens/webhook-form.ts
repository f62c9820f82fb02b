import { html, nothing, type TemplateResult } from 'lit';
import type { ApiError } from '../api.ts';
import { fieldErrors } from '../field-errors.ts';
import { Action } from '../parts/action.ts';
import { actionButton } from '../parts/button.ts';
import { readSettings, settingFields, settingNames } from '../parts/endpoint-settings.ts';
import { checkField, textField } from '../parts/field.ts';
import { fieldText } from '../parts/form-values.ts';
import { heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { errorText, notice } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { withData } from '../parts/with-data.ts';
import type { Place } from '../place.ts';
import type { Endpoint, EventCatalogue, NewEndpoint, Portal } from '../portal.ts';
import type { EventChoice } from './event-choice.ts';
import './event-choice.ts';
import { UrlCheck } from './url-check.ts';

/** The fields that a server's error can belong to, by the first segment of its pointer. */
const known = ['url', 'events', 'deliveryHeader', ...settingNames];

type KeyChoice = 'none' | 'keep' | 'set';
type Errors = Readonly<Record<string, string>>;

const without = (errors: Errors, name: string): Errors => {
  const { [name]: _gone, ...others } = errors;
  return others;
};

/** Creates an endpoint, or changes one. */
class WebhookForm extends ScreenPart {
  static override properties = {
    ...ScreenPart.properties,
    endpointId: { attribute: false },
    errors: { state: true },
    kind: { state: true },
    keyChoice: { state: true },
  };

  /** Absent: a new one. */
  declare endpointId: string | undefined;
  declare errors: Errors;
  /** What a new one shall be. */
  declare kind: Endpoint['kind'];
  declare keyChoice: KeyChoice | undefined;
  readonly #action = new Action(this);
  readonly #url = new UrlCheck(this, (error) => {
    this.errors = { ...without(this.errors, 'url'), ...(error === undefined ? {} : { url: error }) };
  });
  #etag: string | undefined;

  readonly #catalogue = new Resource<EventCatalogue>(this, {
    name: () => 'catalogue',
    read: async (api, signal) => (await api.call<EventCatalogue>('GET', ['catalogue'], { signal })).body,
  });
  readonly #endpoint = new Resource<Endpoint | null>(this, {
    read: async (api, signal) => {
      if (this.endpointId === undefined) return null;
      const { body, etag } = await api.call<Endpoint>('GET', ['endpoints', this.endpointId], { signal });
      this.#etag = etag;
      return body;
    },
  });

  constructor() {
    super();
    this.errors = {};
    this.kind = 'push';
  }

  get #back(): Place {
    return { screen: 'webhooks', ...(this.endpointId === undefined ? {} : { id: this.endpointId }) };
  }

  #kindOf(endpoint: Endpoint | null): Endpoint['kind'] {
    return endpoint?.kind ?? this.kind;
  }

  #choiceOf(endpoint: Endpoint | null): KeyChoice {
    return this.keyChoice ?? (endpoint?.deliveryHeaderName === undefined ? 'none' : 'keep');
  }

  /** The input of the form, and the fields that are missing. */
  #read(form: HTMLFormElement, endpoint: Endpoint | null): { readonly body: object; readonly missing: Errors } {
    const { t } = this.portal.texts;
    const text = (name: string): string => fieldText(form, name).trim();
    const events = this.querySelector<EventChoice>('partnerkit-event-choice')?.value ?? [];
    const choice = this.#choiceOf(endpoint);
    const isNew = endpoint === null;
    const kind = this.#kindOf(endpoint);
    const isPull = kind === 'pull';
    const isSet = choice === 'set' && !isPull;
    const header = { name: text('header'), value: text('value') };
    const required = (name: string, value: string): Errors => (value === '' ? { [name]: t('field.required') } : {});
    return {
      missing: {
        ...(isPull ? {} : required('url', text('url'))),
        ...(events.length === 0 ? { events: t('form.events-missing') } : {}),
        ...(isSet ? required('deliveryHeader-name', header.name) : {}),
        ...(isSet ? required('deliveryHeader-value', header.value) : {}),
      },
      body: {
        ...(isPull ? (isNew ? { kind } : {}) : { url: text('url') }),
        events,
        ...readSettings(form, { endpoint, kind }),
        ...(isSet
          ? { deliveryHeader: header }
          : choice === 'none' && !isNew && !isPull
            ? { deliveryHeader: null }
            : {}),
      },
    };
  }

  async #submit(event: Event, endpoint: Endpoint | null): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    this.#url.stop();
    const { body, missing } = this.#read(form, endpoint);
    const { url } = this.errors;
    this.errors = { ...(url === undefined ? {} : { url }), ...missing };
    if (Object.keys(this.errors).length === 0 && (await this.#save(body, endpoint))) return;
    await this.updateComplete;
    // The choice of events renders after the form.
    await Promise.resolve();
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }

  async #save(body: object, endpoint: Endpoint | null): Promise<boolean> {
    const { portal } = this;
    const { api } = portal;
    let made: NewEndpoint | undefined;
    const isDone = await this.#action.run(async () => {
      if (endpoint) await api.call('PATCH', ['endpoints', endpoint.id], { body, ifMatch: this.#etag });
      else made = (await api.call<NewEndpoint>('POST', ['endpoints'], { body })).body;
    });
    if (!isDone) {
      if (this.#action.error) this.errors = fieldErrors(portal.texts, this.#action.error);
      return false;
    }
    // Lists show what was true before.
    portal.cache.clear();
    if (endpoint) {
      portal.emit('partnerkit:endpoint-changed', { endpointId: endpoint.id, change: 'updated' });
      portal.announce(portal.texts.t('saved'));
      portal.go(this.#back);
    } else if (made) {
      const { endpoint: created, secret } = made;
      const { id } = created;
      const show = () => portal.go({ screen: 'webhooks', id });
      portal.emit('partnerkit:endpoint-created', { endpointId: id });
      if (secret === undefined) show();
      else portal.openLater((dialogs) => dialogs.webhookSecret({ endpoint: created, secret }, show));
    }
    return true;
  }

  /** What a new endpoint is: the kind of an endpoint never changes. */
  #kindFields(): TemplateResult {
    const { t } = this.portal.texts;
    const kinds = [
      { kind: 'push', label: t('webhook.push'), hint: t('form.kind-push') },
      { kind: 'pull', label: t('webhook.pull'), hint: t('form.kind-pull') },
    ] as const;
    return html`<fieldset>
      <legend>${t('form.kind')}</legend>
      ${kinds.map(({ kind, label, hint }) =>
        checkField(html`${label} <small class="muted">${hint}</small>`, {
          type: 'radio',
          name: 'kind',
          value: kind,
          isChecked: this.kind === kind,
          onChange: () => {
            this.kind = kind;
          },
        }),
      )}
    </fieldset>`;
  }

  #keyFields(endpoint: Endpoint | null): TemplateResult {
    const { t } = this.portal.texts;
    const choice = this.#choiceOf(endpoint);
    const name = endpoint?.deliveryHeaderName;
    const choices: readonly KeyChoice[] = name === undefined ? ['none', 'set'] : ['keep', 'set', 'none'];
    return html`<fieldset>
      <legend>${t('form.key')}</legend>
      <p class="hint">${t('form.key-hint')}</p>
      ${choices.map((each) =>
        checkField(t(`form.key-${each}`, { header: name ?? '' }), {
          type: 'radio',
          name: 'key',
          value: each,
          isChecked: choice === each,
          onChange: () => {
            this.keyChoice = each;
          },
        }),
      )}
      ${
        choice === 'set'
          ? html`${textField('key-header', 'header', t('form.key-header'), {
              value: name ?? 'X-API-Key',
              error: this.errors['deliveryHeader-name'],
            })}
            ${textField('key-value', 'value', t('form.key-value'), {
              type: 'password',
              hint: t('form.key-value-hint'),
              error: this.errors['deliveryHeader-value'],
            })}`
          : nothing
      }
    </fieldset>`;
  }

  /** What is wrong and belongs to no field. */
  #problem(error: ApiError | undefined): TemplateResult | typeof nothing {
    const { texts } = this.portal;
    if (!error) return nothing;
    const unplaced = error.fields.filter(({ pointer }) => !known.includes(pointer.split('/')[1] ?? ''));
    if (error.code === 'invalid_input' && error.fields.length > unplaced.length)
      return notice('error', texts.t('form.wrong'));
    const others = unplaced.map(({ pointer, detail }) => `${pointer} ${detail}`);
    return notice('error', [errorText(texts, error), ...others].join(' '));
  }

  #urlField(endpoint: Endpoint | null): TemplateResult {
    const { t } = this.portal.texts;
    return textField('url', 'url', t('form.url'), {
      type: 'url',
      value: endpoint?.url ?? '',
      placeholder: 'https://',
      isRequired: true,
      hint: t('form.url-hint'),
      error: this.errors['url'],
      onInput: ({ target }) => this.#url.check((target as HTMLInputElement).value.trim()),
      below: html`<p class="right" aria-live="polite">${this.#url.isRight ? t('form.url-right') : nothing}</p>`,
    });
  }

  #form(endpoint: Endpoint | null, { objects }: EventCatalogue): TemplateResult {
    const { portal, errors } = this;
    const { t } = portal.texts;
    const kind = this.#kindOf(endpoint);
    return html`<form class="card form" part="card" novalidate @submit=${(event: Event) => this.#submit(event, endpoint)}>
      ${endpoint ? nothing : this.#kindFields()}
      ${kind === 'pull' ? nothing : this.#urlField(endpoint)}
      ${settingFields(portal.texts, { endpoint, kind, errors, isOption: false })}
      <partnerkit-event-choice
        .portal=${portal}
        .objects=${objects}
        .selectors=${endpoint?.events ?? []}
        .error=${errors['events']}
      ></partnerkit-event-choice>
      ${kind === 'pull' ? nothing : this.#keyFields(endpoint)}
      <fieldset>
        <legend>${t('form.options')}</legend>
        ${settingFields(portal.texts, { endpoint, kind, errors, isOption: true })}
      </fieldset>
      ${this.#problem(this.#action.error)}
      <div class="buttons">
        ${link(portal, this.#back, t('cancel'), { look: 'button' })}
        ${actionButton(this.#action, t(endpoint ? 'save' : 'webhook.add'), { kind: 'primary', type: 'submit' })}
      </div>
    </form>`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    return html`${heading(portal, texts.t(this.endpointId === undefined ? 'webhook.add' : 'webhook.edit'), {
      from: [{ screen: 'webhooks' }, texts.t('webhooks')],
    })}
    ${withData(texts, this.#endpoint, (endpoint) =>
      withData(texts, this.#catalogue, (catalogue) => this.#form(endpoint, catalogue)),
    )}`;
  }
}

define('partnerkit-webhook-form', WebhookForm);

/** @internal */
export const newScreen = (portal: Portal): TemplateResult =>
  html`<partnerkit-webhook-form .portal=${portal}></partnerkit-webhook-form>`;

/** @internal */
export const editScreen = (portal: Portal, endpointId: string): TemplateResult =>
  html`<partnerkit-webhook-form .portal=${portal} .endpointId=${endpointId}></partnerkit-webhook-form>`;
