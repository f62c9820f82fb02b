import { html, nothing, type TemplateResult } from 'lit';
import { actionButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { checkField, textField } from '../parts/field.ts';
import { fieldText, localTime, secondsOf } from '../parts/form-values.ts';
import { failureOf } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import { readRights, rightsFields } from '../parts/rights-fields.ts';
import type { ApiKey, NewApiKey } from '../portal.ts';
import { isActive } from '../secrets.ts';

/** What a dialog says of a key. `null`: the limit is removed. */
export interface KeyInput {
  readonly name: string;
  readonly rights?: readonly string[] | null;
  /** In seconds since 1970. */
  readonly expiresAt?: number | null;
}

/** A dialog with the name, the rights and the end of a key. */
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
    isPast: { state: true },
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
  declare isPast: boolean;

  get #isLimited(): boolean {
    return this.isLimited ?? this.former?.rights !== undefined;
  }

  /** The end of the key as the form shows it. */
  get #end(): string {
    return localTime(this.former?.expiresAt ?? Number.NaN);
  }

  /** The end that a form gives. `undefined`: it is as before. */
  #endOf(form: HTMLFormElement): number | null | undefined {
    const text = fieldText(form, 'expires');
    return text === this.#end ? undefined : (secondsOf(text) ?? null);
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
    const expiresAt = this.#endOf(form);
    this.isPast = typeof expiresAt === 'number' && expiresAt * 1_000 <= Date.now();
    if (this.isMissing || this.hasNoRight || this.isPast) {
      const wrong = this.isMissing ? '#key-name' : this.hasNoRight ? 'select' : '#key-expires';
      form.querySelector<HTMLElement>(wrong)?.focus();
      return;
    }
    const rights = chosen ?? (this.former?.rights === undefined ? undefined : null);
    let then: (() => void) | undefined;
    await this.finish(
      async () => {
        const limits = {
          ...(rights === undefined ? {} : { rights }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
        };
        then = await this.act({ name, ...limits });
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
      ${textField('key-expires', 'expires', texts.t('key.expires'), {
        type: 'datetime-local',
        value: this.#end,
        hint: texts.t('key.expires-hint'),
        error: this.isPast ? texts.t('key.expires-past') : undefined,
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
