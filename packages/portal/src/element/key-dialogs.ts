import { html, nothing } from 'lit';
import { isActive } from './active-secret.ts';
import { fieldText } from './form.ts';
import type { ApiKey, NewApiKey, Portal } from './portal.ts';
import { openSecret } from './secret-dialog.ts';
import { actionButton, describedBy, dialogButtons, failureOf, field } from './templates.ts';

/** A dialog with one text. */
const openName = (
  portal: Portal,
  {
    title,
    name,
    confirm,
    act,
    onDone,
  }: {
    readonly title: string;
    readonly name: string;
    readonly confirm: string;
    readonly act: (name: string) => Promise<void>;
    /** Runs after the dialog has closed. */
    readonly onDone: () => void;
  },
): void => {
  const { texts } = portal;
  const action = portal.action();
  let isMissing = false;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = fieldText(form, 'name').trim();
    isMissing = text === '';
    portal.update();
    if (isMissing) form.querySelector('input')?.focus();
    else if (await action.run(() => act(text))) {
      portal.close();
      onDone();
    }
  };
  portal.open({
    title,
    render: () => html`<form novalidate @submit=${submit}>
      ${field(
        'key-name',
        texts.t('key.name'),
        html`<input
          id="key-name"
          name="name"
          type="text"
          maxlength="256"
          autocomplete="off"
          required
          autofocus
          .value=${name}
          aria-invalid=${isMissing ? 'true' : 'false'}
          aria-describedby=${describedBy('key-name', true)}
        />`,
        { hint: texts.t('key.name-hint'), error: isMissing ? texts.t('field.required') : undefined },
      )}
      ${failureOf(texts, action)}
      ${dialogButtons(
        html`<button type="button" @click=${() => portal.close()}>${texts.t('cancel')}</button>`,
        actionButton(action, confirm, { kind: 'primary', type: 'submit' }),
      )}
    </form>`,
  });
};

const showSecret = (portal: Portal, { key, secret }: NewApiKey, title: string, warning?: string): void => {
  const { t } = portal.texts;
  openSecret(portal, {
    title,
    intro: t('key.secret-intro', { name: key.name }),
    values: [[t('key.client-id'), key.id]],
    label: t('key.client-secret'),
    secret,
    warning,
  });
};

/** Adds an API key: one input, then the secret, once. @internal */
export const addKey = (portal: Portal, reload: () => void): void => {
  const { api, texts } = portal;
  let made: NewApiKey | undefined;
  openName(portal, {
    title: texts.t('key.add'),
    name: '',
    confirm: texts.t('key.add-confirm'),
    act: async (name) => {
      made = (await api.call<NewApiKey>('POST', ['api-keys'], { body: { name } })).body;
    },
    onDone: () => {
      if (!made) return;
      portal.emit('partnerkit:key-added', { keyId: made.key.id });
      showSecret(portal, made, texts.t('key.added'));
      made = undefined;
      reload();
    },
  });
};

/** Renames an API key. @internal */
export const renameKey = (portal: Portal, key: ApiKey, reload: () => void): void => {
  const { api, texts } = portal;
  openName(portal, {
    title: texts.t('key.rename'),
    name: key.name,
    confirm: texts.t('save'),
    act: async (name) => {
      await api.call('PATCH', ['api-keys', key.id], { body: { name } });
    },
    onDone: () => {
      portal.emit('partnerkit:key-changed', { keyId: key.id, change: 'renamed' });
      portal.announce(texts.t('saved'));
      reload();
    },
  });
};

const overlaps = [
  ['0', 'overlap.none'],
  ['3600', 'overlap.hour'],
  ['86400', 'overlap.day'],
  ['604800', 'overlap.week'],
  ['', 'overlap.open'],
] as const;

/** Rotates the secret of an API key: a new one works beside the others, which end after an overlap. @internal */
export const rotateKey = (portal: Portal, key: ApiKey, reload: () => void): void => {
  const { api, texts } = portal;
  const { t } = texts;
  const action = portal.action();
  const former = key.secrets.filter((secret) => isActive(secret));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const overlap = fieldText(event.target, 'overlap');
    let made: NewApiKey | undefined;
    let warning: string | undefined;
    const isMade = await action.run(async () => {
      made = (await api.call<NewApiKey>('POST', ['api-keys', key.id, 'secrets'])).body;
      if (overlap === '') return;
      const at = Math.floor(Date.now() / 1_000) + Number(overlap);
      for (const { id } of former) {
        try {
          await api.call('POST', ['api-keys', key.id, 'secrets', id, 'expire'], { body: { at } });
        } catch {
          // The new secret is there and must be shown.
          warning = t('key.rotate-warning');
        }
      }
    });
    if (!isMade || !made) return;
    portal.close();
    portal.emit('partnerkit:key-changed', { keyId: key.id, change: 'rotated' });
    showSecret(portal, made, t('key.rotated'), warning);
    reload();
  };
  portal.open({
    title: t('key.rotate-title', { name: key.name }),
    render: () => html`<form novalidate @submit=${submit}>
      <p>${t('key.rotate-text')}</p>
      <fieldset>
        <legend>${t('overlap')}</legend>
        ${overlaps.map(
          ([value, label]) =>
            html`<label class="check"
              ><input type="radio" name="overlap" value=${value} ?checked=${value === '86400'} />${t(label)}</label
            >`,
        )}
      </fieldset>
      ${former.length === 0 ? html`<p>${t('key.rotate-none')}</p>` : nothing} ${failureOf(texts, action)}
      ${dialogButtons(
        html`<button type="button" @click=${() => portal.close()}>${t('cancel')}</button>`,
        actionButton(action, t('key.rotate-confirm'), { kind: 'primary', type: 'submit' }),
      )}
    </form>`,
  });
};
