import { html, nothing, type TemplateResult } from 'lit';
import { errorOf } from './api.ts';
import { eventFields } from './event-fields.ts';
import { fieldErrors } from './field-errors.ts';
import { fieldText } from './form.ts';
import type { Endpoint, NewWebhookSecret, Portal, Screen } from './portal.ts';
import { openSecret } from './secret-dialog.ts';
import { type CatalogueObject, pairsSelected, selectorsOf } from './selection.ts';
import { actionButton, describedBy, errorText, field, notice, withData } from './templates.ts';

const checkDelay = 400;
/** The fields that a server's error can belong to, by the first segment of its pointer. */
const known = ['url', 'label', 'events', 'deliveryHeader'];

type KeyChoice = 'none' | 'keep' | 'set';

/** Creates an endpoint, or changes one. @internal */
export const createWebhookForm = (
  portal: Portal,
  former?: { readonly endpoint: Endpoint; readonly etag?: string },
): Screen => {
  const { api, texts } = portal;
  const { t } = texts;
  const endpoint = former?.endpoint;
  const action = portal.action();
  const { catalogue } = portal;
  const back = (): void => portal.go({ screen: 'webhooks', ...(endpoint ? { id: endpoint.id } : {}) });

  let pairs: Set<string> | undefined;
  let keyChoice: KeyChoice = endpoint?.deliveryHeaderName === undefined ? 'none' : 'keep';
  let errors: Readonly<Record<string, string>> = {};
  let urlState: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let check: AbortController | undefined;

  const checkUrl = async (url: string): Promise<void> => {
    check?.abort();
    check = new AbortController();
    const { signal } = check;
    let wrong: string | undefined;
    urlState = undefined;
    try {
      await api.call('POST', ['endpoints', 'check'], { body: { url }, signal });
      urlState = t('form.url-right');
    } catch (cause) {
      if (signal.aborted) return;
      // Without an answer, saving will tell.
      wrong = fieldErrors(texts, errorOf(cause))['url'];
    }
    const { url: _url, ...others } = errors;
    errors = wrong === undefined ? others : { ...others, url: wrong };
    portal.update();
  };
  const onUrl = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value.trim();
    clearTimeout(timer);
    check?.abort();
    urlState = undefined;
    const { url: _url, ...others } = errors;
    errors = others;
    if (text !== '') timer = setTimeout(() => void checkUrl(text), checkDelay);
    portal.update();
  };

  const submit = async (event: Event, objects: readonly CatalogueObject[]): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    clearTimeout(timer);
    check?.abort();
    const text = (name: string): string => fieldText(form, name).trim();
    const selectors = selectorsOf(objects, pairs ?? new Set(), endpoint?.events);
    const missing = {
      ...(text('url') === '' ? { url: t('field.required') } : {}),
      ...(selectors.length === 0 ? { events: t('form.events-missing') } : {}),
      ...(keyChoice === 'set' && text('header') === '' ? { 'deliveryHeader-name': t('field.required') } : {}),
      ...(keyChoice === 'set' && text('value') === '' ? { 'deliveryHeader-value': t('field.required') } : {}),
    };
    const { url: urlError } = errors;
    errors = { ...(urlError === undefined ? {} : { url: urlError }), ...missing };
    let made: NewWebhookSecret | undefined;
    if (Object.keys(errors).length === 0) {
      const isChecked = (name: string): boolean => new FormData(form).has(name);
      const deliveryHeader =
        keyChoice === 'set'
          ? { deliveryHeader: { name: text('header'), value: text('value') } }
          : keyChoice === 'none' && endpoint
            ? { deliveryHeader: null }
            : {};
      const body = {
        url: text('url'),
        events: selectors,
        standardWebhooks: isChecked('standardWebhooks'),
        includeChildren: isChecked('includeChildren'),
        ...(text('label') !== '' ? { label: text('label') } : endpoint ? { label: null } : {}),
        ...deliveryHeader,
      };
      const isDone = await action.run(async () => {
        if (endpoint) await api.call('PATCH', ['endpoints', endpoint.id], { body, ifMatch: former?.etag });
        else made = (await api.call<NewWebhookSecret>('POST', ['endpoints'], { body })).body;
      });
      if (isDone) {
        if (endpoint) {
          portal.emit('partnerkit:endpoint-changed', { endpointId: endpoint.id, change: 'updated' });
          portal.announce(t('saved'));
          await portal.endpoints.load();
          back();
        } else if (made) showSecret(made);
        return;
      }
      if (action.error) errors = fieldErrors(texts, action.error);
    }
    portal.update();
    await portal.rendered();
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  };

  const showSecret = ({ endpoint: created, secret }: NewWebhookSecret): void => {
    portal.emit('partnerkit:endpoint-created', { endpointId: created.id });
    void portal.endpoints.load();
    openSecret(portal, {
      title: t('webhook.created'),
      intro: t('webhook.secret-intro'),
      label: t('webhook.secret'),
      secret,
      onDone: () => portal.go({ screen: 'webhooks', id: created.id }),
    });
  };

  const choose = (changed: readonly string[], isChosen: boolean): void => {
    const next = new Set(pairs);
    for (const pair of changed) {
      if (isChosen) next.add(pair);
      else next.delete(pair);
    }
    pairs = next;
    const { events: _events, ...others } = errors;
    if (next.size > 0) errors = others;
    portal.update();
  };
  const keyFields = (): TemplateResult => {
    const choices: readonly KeyChoice[] =
      endpoint?.deliveryHeaderName === undefined ? ['none', 'set'] : ['keep', 'set', 'none'];
    return html`<fieldset>
      <legend>${t('form.key')}</legend>
      <p class="hint">${t('form.key-hint')}</p>
      ${choices.map(
        (choice) =>
          html`<label class="check"
            ><input
              type="radio"
              name="key"
              value=${choice}
              .checked=${keyChoice === choice}
              @change=${() => {
                keyChoice = choice;
                portal.update();
              }}
            />${t(`form.key-${choice}`, { header: endpoint?.deliveryHeaderName ?? '' })}</label
          >`,
      )}
      ${
        keyChoice === 'set'
          ? html`${field(
              'key-header',
              t('form.key-header'),
              html`<input
                id="key-header"
                name="header"
                type="text"
                autocomplete="off"
                spellcheck="false"
                .value=${endpoint?.deliveryHeaderName ?? 'X-API-Key'}
                aria-invalid=${errors['deliveryHeader-name'] === undefined ? 'false' : 'true'}
                aria-describedby=${describedBy('key-header', false)}
              />`,
              { error: errors['deliveryHeader-name'] },
            )}
            ${field(
              'key-value',
              t('form.key-value'),
              html`<input
                id="key-value"
                name="value"
                type="password"
                autocomplete="off"
                aria-invalid=${errors['deliveryHeader-value'] === undefined ? 'false' : 'true'}
                aria-describedby=${describedBy('key-value', true)}
              />`,
              { hint: t('form.key-value-hint'), error: errors['deliveryHeader-value'] },
            )}`
          : nothing
      }
    </fieldset>`;
  };

  const others = (): string | undefined => {
    const { error } = action;
    if (!error) return undefined;
    const unplaced = error.fields.filter(({ pointer }) => !known.includes(pointer.split('/')[1] ?? ''));
    if (error.code === 'invalid_input' && error.fields.length > unplaced.length) return t('form.wrong');
    return [errorText(texts, error), ...unplaced.map(({ pointer, detail }) => `${pointer} ${detail}`)].join(' ');
  };

  return {
    title: endpoint ? t('webhook.edit') : t('webhook.add'),
    start: () => undefined,
    stop: () => {
      clearTimeout(timer);
      check?.abort();
    },
    render: () =>
      withData(portal, catalogue, ({ objects }) => {
        pairs ??= pairsSelected(objects, endpoint?.events ?? []);
        const chosen = pairs;
        const problem = others();
        return html`<form class="panel" novalidate @submit=${(event: Event) => submit(event, objects)}>
          ${field(
            'url',
            t('form.url'),
            html`<input
                id="url"
                name="url"
                type="url"
                inputmode="url"
                autocomplete="off"
                spellcheck="false"
                placeholder="https://"
                required
                .value=${endpoint?.url ?? ''}
                aria-invalid=${errors['url'] === undefined ? 'false' : 'true'}
                aria-describedby=${describedBy('url', true)}
                @input=${onUrl}
              />
              <p class="right" aria-live="polite">${urlState ?? nothing}</p>`,
            { hint: t('form.url-hint'), error: errors['url'] },
          )}
          ${field(
            'label',
            t('form.label'),
            html`<input
              id="label"
              name="label"
              type="text"
              maxlength="256"
              autocomplete="off"
              .value=${endpoint?.label ?? ''}
              aria-invalid=${errors['label'] === undefined ? 'false' : 'true'}
              aria-describedby=${describedBy('label', true)}
            />`,
            { hint: t('form.label-hint'), error: errors['label'] },
          )}
          <fieldset
            class="plain"
            tabindex="-1"
            aria-invalid=${errors['events'] === undefined ? nothing : 'true'}
            aria-describedby="events-error"
          >
            <legend>${t('form.events')}</legend>
            <p class="hint">${t('form.events-hint')}</p>
            <p class="error" id="events-error" aria-live="polite">${errors['events'] ?? nothing}</p>
            ${objects.map((object) => eventFields(texts, object, chosen, choose))}
          </fieldset>
          ${keyFields()}
          <fieldset>
            <legend>${t('form.options')}</legend>
            <label class="check"
              ><input type="checkbox" name="standardWebhooks" ?checked=${endpoint?.standardWebhooks} /><span
                >${t('form.standard')} <small class="muted">${t('form.standard-hint')}</small></span
              ></label
            >
            <label class="check"
              ><input type="checkbox" name="includeChildren" ?checked=${endpoint?.includeChildren} /><span
                >${t('form.children')} <small class="muted">${t('form.children-hint')}</small></span
              ></label
            >
          </fieldset>
          ${problem === undefined ? nothing : notice('error', problem)}
          <div class="buttons">
            <button type="button" @click=${back}>${t('cancel')}</button>
            ${actionButton(action, endpoint ? t('save') : t('webhook.add'), { kind: 'primary', type: 'submit' })}
          </div>
        </form>`;
      }),
  };
};
