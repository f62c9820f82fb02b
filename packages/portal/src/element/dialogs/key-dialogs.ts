import { html, nothing, type TemplateResult } from 'lit';
import { actionButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { checkField, textField } from '../parts/field.ts';
import { fieldText } from '../parts/form-values.ts';
import { failureOf } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import { readRights, rightsFields } from '../parts/rights-fields.ts';
import type { ApiKey, NewApiKey } from '../portal.ts';
import { isActive } from '../secrets.ts';

/** What a dialog says of a key. `null`: the limit is removed. */
export interface KeyInput {
  readonly name: string;
  readonly rights?: readonly string[] | null;
}

/** A dialog with the name and the rights of a key. */
class KeySettings extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    title: { attribute: false },
    confirm: { attribute: false },
    former: { attribute: false },
    act: { attribute: false },
    isMissing: { state: true },
    isLimited: { state: true },
    hasNoRight: { state: true },
  };

  declare title: string;
  declare confirm: string;
  /** Absent: a new key. */
  declare former: ApiKey | undefined;
  /** Does it; what it resolves to runs after the dialog has closed. */
  declare act: (input: KeyInput) => Promise<() => void>;
  declare isMissing: boolean;
  /** Absent: as the key is. */
  declare isLimited: boolean | undefined;
  declare hasNoRight: boolean;

  get #isLimited(): boolean {
    return this.isLimited ?? this.former?.rights !== undefined;
  }

  protected override get heading(): string {
    return this.title;
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = fieldText(form, 'name').trim();
    const chosen = this.#isLimited ? readRights(this.portal, form, this.former?.rights) : undefined;
    this.isMissing = name === '';
    this.hasNoRight = chosen?.length === 0;
    if (this.isMissing || this.hasNoRight) {
      form.querySelector<HTMLElement>(this.isMissing ? 'input' : 'select')?.focus();
      return;
    }
    const rights = chosen ?? (this.former?.rights === undefined ? undefined : null);
    let then: (() => void) | undefined;
    await this.finish(
      async () => {
        then = await this.act({ name, ...(rights === undefined ? {} : { rights }) });
      },
      () => then?.(),
    );
  }

  protected override content(): TemplateResult {
    const { texts } = this.portal;
    return html`<form novalidate @submit=${this.#submit}>
      ${textField('key-name', 'name', texts.t('key.name'), {
        value: this.former?.name ?? '',
        hint: texts.t('key.name-hint'),
        error: this.isMissing ? texts.t('field.required') : undefined,
        isRequired: true,
        hasFocus: true,
      })}
      ${rightsFields(this.portal, {
        rights: this.former?.rights,
        isLimited: this.#isLimited,
        isMissing: this.hasNoRight,
        onLimit: (isLimited) => {
          this.isLimited = isLimited;
          this.hasNoRight = false;
        },
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

define('partnerkit-key-settings', KeySettings);
define('partnerkit-key-rotation', KeyRotation);
