import { html, type TemplateResult } from 'lit';
import { actionButton, plainButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { failureOf } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import type { Endpoint, NewWebhookSecret } from '../portal.ts';
import { openSecret } from './secret-dialog.ts';

/** Rotates the webhook secret: first the receiver learns the next one, then it signs. */
class Rotation extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    endpoint: { attribute: false },
    isSecond: { attribute: false },
  };

  declare endpoint: Endpoint;
  /** The next secret is there. */
  declare isSecond: boolean | undefined;

  get #isSecondStep(): boolean {
    return this.isSecond ?? this.endpoint.rotating;
  }

  get #path(): readonly string[] {
    return ['endpoints', this.endpoint.id, 'secret'];
  }

  protected override get heading(): string {
    return this.portal.texts.t(this.#isSecondStep ? 'rotate.title-2' : 'rotate.title-1');
  }

  async #end(step: 'activate' | 'cancel'): Promise<void> {
    const { portal, endpoint } = this;
    const { api, texts } = portal;
    await this.finish(
      () => api.call('POST', [...this.#path, step]),
      () => {
        const change = step === 'activate' ? 'secret_activated' : 'secret_cancelled';
        portal.emit('partnerkit:endpoint-changed', { endpointId: endpoint.id, change });
        portal.announce(texts.t(step === 'activate' ? 'rotate.activated' : 'rotate.cancelled'));
      },
    );
  }

  async #prepare(): Promise<void> {
    const { portal, endpoint, onDone } = this;
    const { api, texts } = portal;
    let made: NewWebhookSecret | undefined;
    await this.finish(
      async () => {
        made = (await api.call<NewWebhookSecret>('POST', [...this.#path, 'prepare'])).body;
      },
      () => {
        if (!made) return;
        const shown = {
          title: texts.t('rotate.next'),
          intro: texts.t('rotate.next-intro'),
          label: texts.t('webhook.secret'),
          secret: made.secret,
        };
        made = undefined;
        openSecret(portal, shown, () =>
          portal.open(
            html`<partnerkit-rotation
              .portal=${portal}
              .endpoint=${endpoint}
              .isSecond=${true}
              .onDone=${onDone}
            ></partnerkit-rotation>`,
          ),
        );
      },
    );
  }

  protected override content(): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    const failure = failureOf(texts, this.action);
    if (!this.#isSecondStep)
      return html`<p>${t('rotate.text-1')}</p>
        ${failure}
        ${this.buttons(
          this.cancelButton(),
          actionButton(this.action, t('rotate.prepare'), { kind: 'primary', onClick: () => void this.#prepare() }),
        )}`;
    return html`<p>${t('rotate.text-2')}</p>
      ${failure}
      ${this.buttons(
        plainButton(t('rotate.later'), this.leave),
        actionButton(this.action, t('rotate.cancel'), { onClick: () => void this.#end('cancel') }),
        actionButton(this.action, t('rotate.activate'), {
          kind: 'primary',
          onClick: () => void this.#end('activate'),
        }),
      )}`;
  }
}

define('partnerkit-rotation', Rotation);
