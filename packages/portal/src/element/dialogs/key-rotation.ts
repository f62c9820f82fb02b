import { html, nothing, type TemplateResult } from 'lit';
import { actionButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { checkField } from '../parts/field.ts';
import { fieldText } from '../parts/form-values.ts';
import { failureOf } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import type { ApiKey, NewApiKey } from '../portal.ts';
import { isActive } from '../secrets.ts';

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

define('partnerkit-key-rotation', KeyRotation);
