import { html, nothing, type TemplateResult } from 'lit';
import { actionButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { checkField, textField } from '../parts/field.ts';
import { fieldText } from '../parts/form-values.ts';
import { failureOf } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import type { ApiKey, NewApiKey } from '../portal.ts';
import { isActive } from '../secrets.ts';

/** A dialog with the name of a key. */
class KeyName extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    title: { attribute: false },
    confirm: { attribute: false },
    former: { attribute: false },
    act: { attribute: false },
    isMissing: { state: true },
  };

  declare title: string;
  declare confirm: string;
  declare former: string | undefined;
  /** Does it; what it resolves to runs after the dialog has closed. */
  declare act: (name: string) => Promise<() => void>;
  declare isMissing: boolean;

  protected override get heading(): string {
    return this.title;
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = fieldText(form, 'name').trim();
    this.isMissing = name === '';
    if (this.isMissing) {
      form.querySelector('input')?.focus();
      return;
    }
    let then: (() => void) | undefined;
    await this.finish(
      async () => {
        then = await this.act(name);
      },
      () => then?.(),
    );
  }

  protected override content(): TemplateResult {
    const { texts } = this.portal;
    return html`<form novalidate @submit=${this.#submit}>
      ${textField('key-name', 'name', texts.t('key.name'), {
        value: this.former ?? '',
        hint: texts.t('key.name-hint'),
        error: this.isMissing ? texts.t('field.required') : undefined,
        isRequired: true,
        hasFocus: true,
      })}
      ${failureOf(texts, this.action)}
      ${this.buttons(this.cancelButton(), actionButton(this.action, this.confirm, { kind: 'primary', type: 'submit' }))}
    </form>`;
  }
}

const overlaps = [
  ['0', 'overlap.none'],
  ['3600', 'overlap.hour'],
  ['86400', 'overlap.day'],
  ['604800', 'overlap.week'],
  ['', 'overlap.open'],
] as const;

/** Rotates the secret of an API key: a new one works beside the others, which end after an overlap. */
class KeyRotation extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    key: { attribute: false },
    show: { attribute: false },
  };

  declare key: ApiKey;
  declare show: (made: NewApiKey, title: string, warning?: string) => void;

  protected override get heading(): string {
    return this.portal.texts.t('key.rotate-title', { name: this.key.name });
  }

  get #former(): ApiKey['secrets'] {
    return this.key.secrets.filter((secret) => isActive(secret));
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const { portal, key } = this;
    const { api, texts } = portal;
    const overlap = fieldText(event.target, 'overlap');
    let made: NewApiKey | undefined;
    let warning: string | undefined;
    await this.finish(
      async () => {
        made = (await api.call<NewApiKey>('POST', ['api-keys', key.id, 'secrets'])).body;
        if (overlap === '') return;
        const at = Math.floor(Date.now() / 1_000) + Number(overlap);
        for (const { id } of this.#former) {
          try {
            await api.call('POST', ['api-keys', key.id, 'secrets', id, 'expire'], { body: { at } });
          } catch {
            // The new secret is there and must be shown.
            warning = texts.t('key.rotate-warning');
          }
        }
      },
      () => {
        portal.emit('partnerkit:key-changed', { keyId: key.id, change: 'rotated' });
        if (made) this.show(made, texts.t('key.rotated'), warning);
        made = undefined;
      },
    );
  }

  protected override content(): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    return html`<form novalidate @submit=${this.#submit}>
      <p>${t('key.rotate-text')}</p>
      <fieldset>
        <legend>${t('overlap')}</legend>
        ${overlaps.map(([value, label]) =>
          checkField(t(label), { type: 'radio', name: 'overlap', value, isChecked: value === '86400' }),
        )}
      </fieldset>
      ${this.#former.length === 0 ? html`<p>${t('key.rotate-none')}</p>` : nothing} ${failureOf(texts, this.action)}
      ${this.buttons(
        this.cancelButton(),
        actionButton(this.action, t('key.rotate-confirm'), { kind: 'primary', type: 'submit' }),
      )}
    </form>`;
  }
}

define('partnerkit-key-name', KeyName);
define('partnerkit-key-rotation', KeyRotation);
