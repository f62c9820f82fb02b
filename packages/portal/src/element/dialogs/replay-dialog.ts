import { html, nothing, type TemplateResult } from 'lit';
import { actionButton, plainButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { textField } from '../parts/field.ts';
import { fieldText, localTime, secondsOf } from '../parts/form-values.ts';
import { failureOf, notice } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import type { Endpoint } from '../portal.ts';

const hourAgo = (): number => Math.floor(Date.now() / 1_000) - 3_600;

/** Sends the events of a period again, batch by batch, until it is closed. */
class Replay extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    endpoint: { attribute: false },
    sent: { state: true },
    isFinished: { state: true },
    fault: { state: true },
  };

  declare endpoint: Endpoint;
  declare sent: number | undefined;
  declare isFinished: boolean;
  declare fault: string | undefined;

  protected override get heading(): string {
    return this.portal.texts.t('replay.title');
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const { api, texts } = this.portal;
    const [from, to] = ['from', 'to'].map((name) => secondsOf(fieldText(event.target, name)));
    const isPeriod = from !== undefined && to !== undefined && from < to;
    this.fault = isPeriod ? undefined : texts.t('replay.wrong');
    if (!isPeriod) return;
    this.sent = 0;
    this.isFinished = false;
    await this.action.run(async () => {
      for (let after: string | undefined, more = true; more && this.isConnected; more = after !== undefined) {
        const { body } = await api.call<{ deliveries: number; next?: string }>(
          'POST',
          ['endpoints', this.endpoint.id, 'replay'],
          { body: { from, to, ...(after === undefined ? {} : { after }) } },
        );
        this.sent = (this.sent ?? 0) + body.deliveries;
        after = body.next;
      }
      this.isFinished = true;
    });
    this.onDone();
  }

  protected override content(): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    const { isPending } = this.action;
    const progress = isPending ? html`<progress aria-label=${t('replay.running')}></progress>` : nothing;
    const from = hourAgo();
    return html`<form novalidate @submit=${this.#submit}>
      <p>${t('replay.text')}</p>
      ${textField('replay-from', 'from', t('filter.from'), { type: 'datetime-local', value: localTime(from) })}
      ${textField('replay-to', 'to', t('filter.to'), {
        type: 'datetime-local',
        value: localTime(from + 3_660),
        error: this.fault,
      })}
      ${failureOf(texts, this.action)}
      <div aria-live="polite">
        ${
          this.sent === undefined
            ? nothing
            : notice(
                this.isFinished ? 'success' : 'info',
                html`${progress} ${t(this.isFinished ? 'replay.done' : 'replay.progress', { count: this.sent })}`,
              )
        }
      </div>
      ${this.buttons(
        plainButton(t(isPending ? 'replay.stop' : 'close'), this.leave),
        actionButton(this.action, t('replay.start'), { kind: 'primary', type: 'submit' }),
      )}
    </form>`;
  }
}

define('partnerkit-replay', Replay);
