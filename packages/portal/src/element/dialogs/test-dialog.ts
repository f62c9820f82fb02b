import { html, nothing, type TemplateResult } from 'lit';
import { type ApiError, isApiError, type Page } from '../api.ts';
import { adviceFor, explanationText, outcomeText } from '../explanation.ts';
import type { Texts } from '../i18n.ts';
import { actionButton, plainButton } from '../parts/button.ts';
import { quote } from '../parts/copyable.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { describedBy, field } from '../parts/field.ts';
import { fieldText } from '../parts/form-values.ts';
import { errorText, failureOf, notice } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import type { Attempt, Endpoint, EventCatalogue, Explanation } from '../portal.ts';
import { isFailed } from '../statistics.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** What may become of a test event that nobody can read yet. */
const passing = ['offline', 'unavailable', 'no_such_event'];

/** What is wrong with the data of an event, each field by its pointer. */
const wrongData = (texts: Texts, error: ApiError): TemplateResult =>
  notice(
    'error',
    [errorText(texts, error), ...error.fields.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join(' '),
  );

/** Sends a test event, and shows the answer of the receiver. */
class Test extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    endpoint: { attribute: false },
    objectName: { state: true },
    type: { state: true },
    dataError: { state: true },
    explanation: { state: true },
    attempt: { state: true },
    isWaiting: { state: true },
  };

  declare endpoint: Endpoint;
  declare objectName: string | undefined;
  declare type: string | undefined;
  declare dataError: string | undefined;
  declare explanation: Explanation | undefined;
  declare attempt: Attempt | undefined;
  declare isWaiting: boolean;
  /** What a person has written. Absent: the sample. */
  #data: string | undefined;

  readonly #catalogue = new Resource<EventCatalogue>(this, {
    name: () => 'catalogue',
    read: async (api, signal) => (await api.call<EventCatalogue>('GET', ['catalogue'], { signal })).body,
  });

  protected override get heading(): string {
    return this.portal.texts.t('test.title');
  }

  get #objects(): EventCatalogue['objects'] {
    return this.#catalogue.value?.objects ?? [];
  }

  get #object(): EventCatalogue['objects'][number] | undefined {
    return this.#objects.find(({ objectName }) => objectName === this.objectName) ?? this.#objects[0];
  }

  get #event(): EventCatalogue['objects'][number]['events'][number] | undefined {
    return this.#object?.events.find(({ type }) => type === this.type) ?? this.#object?.events[0];
  }

  get #sample(): string {
    return JSON.stringify(this.#event?.sample ?? {}, null, 2);
  }

  /** Follows the event until it was attempted. */
  async #follow(eventId: string): Promise<void> {
    const { api } = this.portal;
    while (this.isConnected) {
      try {
        const path = ['events', eventId, 'explanations', this.endpoint.id];
        const explained = (await api.call<Explanation>('GET', path)).body;
        this.explanation = explained;
        if ('deliveryId' in explained && explained.last) {
          const attempts = ['deliveries', explained.deliveryId, 'attempts'];
          this.attempt = (await api.call<Page<Attempt>>('GET', attempts)).body.items.at(-1);
          return;
        }
      } catch (cause) {
        // The event is not stored yet for a reader, or there was no answer: asked again.
        if (isApiError(cause) && !passing.includes(cause.code)) {
          this.action.error = cause;
          return;
        }
      }
      await pause(700);
    }
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.isWaiting) return;
    const { api, texts } = this.portal;
    const text = fieldText(event.target, 'data');
    this.#data = text === this.#sample ? undefined : text;
    this.dataError = undefined;
    this.attempt = undefined;
    this.explanation = undefined;
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      this.dataError = texts.t('test.no-json');
      return;
    }
    let eventId: string | undefined;
    const isSent = await this.action.run(async () => {
      const body = { objectName: this.#object?.objectName, type: this.#event?.type, data };
      const path = ['endpoints', this.endpoint.id, 'test'];
      ({ eventId } = (await api.call<{ eventId: string }>('POST', path, { body })).body);
    });
    if (!isSent || eventId === undefined) return;
    this.isWaiting = true;
    await this.#follow(eventId);
    this.isWaiting = false;
    this.onDone();
  }

  #result(): TemplateResult | typeof nothing {
    const { texts } = this.portal;
    const { t } = texts;
    const { attempt } = this;
    if (attempt)
      return notice(
        isFailed(attempt) ? 'warning' : 'success',
        html`<strong>${outcomeText(texts, attempt)}</strong>
          <span class="muted">${texts.duration(attempt.durationMs)}</span>
          <p>${isFailed(attempt) ? adviceFor(this.portal, attempt) : t('test.right')}</p>
          ${attempt.kind === 'answered' ? quote(t('attempt.answer'), attempt.body) : nothing}`,
      );
    if (!this.isWaiting) return nothing;
    return notice(
      'info',
      html`<progress aria-label=${t('test.waiting')}></progress>
        ${this.explanation ? explanationText(texts, this.explanation) : t('test.waiting')}`,
    );
  }

  /** Keeps what a person has written when another type is chosen. */
  #keep({ target }: Event): void {
    const text = fieldText((target as HTMLSelectElement).form, 'data');
    if (text !== this.#sample) this.#data = text;
  }

  protected override content(): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    const { error } = this.action;
    const object = this.#object;
    return html`<form novalidate @submit=${this.#submit}>
      <p>${t('test.text')}</p>
      ${field(
        'test-object',
        t('filter.object'),
        html`<select
          id="test-object"
          @change=${(event: Event) => {
            this.#data = undefined;
            this.objectName = (event.target as HTMLSelectElement).value;
            this.type = undefined;
          }}
        >
          ${this.#objects.map(({ objectName }) => html`<option ?selected=${objectName === object?.objectName}>${objectName}</option>`)}
        </select>`,
      )}
      ${field(
        'test-type',
        t('filter.type'),
        html`<select
          id="test-type"
          @change=${(event: Event) => {
            this.#keep(event);
            this.type = (event.target as HTMLSelectElement).value;
          }}
        >
          ${(object?.events ?? []).map(({ type }) => html`<option ?selected=${type === this.#event?.type}>${type}</option>`)}
        </select>`,
      )}
      ${field(
        'test-data',
        t('test.data'),
        html`<textarea
          id="test-data"
          name="data"
          rows="8"
          spellcheck="false"
          .value=${this.#data ?? this.#sample}
          aria-invalid=${this.dataError === undefined ? 'false' : 'true'}
          aria-describedby=${describedBy('test-data', true)}
        ></textarea>`,
        { hint: t('test.data-hint'), error: this.dataError },
      )}
      ${error?.code === 'invalid_event' ? wrongData(texts, error) : failureOf(texts, this.action)}
      <div aria-live="polite">${this.#result()}</div>
      ${this.buttons(
        plainButton(t('close'), this.leave),
        actionButton(this.action, t('test.send'), { kind: 'primary', type: 'submit', isDisabled: this.isWaiting }),
      )}
    </form>`;
  }
}

define('partnerkit-test', Test);
