import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, type Page } from './api.ts';
import { attemptText } from './attempt.ts';
import { explanationText } from './explanation.ts';
import { fieldText } from './form.ts';
import type { Attempt, Endpoint, Explanation, Portal } from './portal.ts';
import { actionButton, describedBy, dialogButtons, failureOf, field, notice } from './templates.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a test event, and shows the answer of the receiver. @internal */
export const openTest = (portal: Portal, endpoint: Endpoint, reload: () => void): void => {
  const { api, texts } = portal;
  const { t } = texts;
  const action = portal.action();
  const objects = portal.catalogue.value?.objects ?? [];
  const [first] = objects;
  let objectName = first?.objectName ?? '';
  let type = first?.events[0]?.type ?? '';
  const typesOf = (name: string) => objects.find((each) => each.objectName === name)?.events ?? [];
  const sample = (): string =>
    JSON.stringify(typesOf(objectName).find((each) => each.type === type)?.sample ?? {}, null, 2);
  let data = sample();
  let dataError: string | undefined;
  let explanation: Explanation | undefined;
  let attempt: Attempt | undefined;
  let isWaiting = false;
  let isClosed = false;

  /** Follows the event until it was attempted. */
  const follow = async (eventId: string): Promise<void> => {
    while (!isClosed) {
      try {
        const explained = await api.call<Explanation>('GET', ['events', eventId, 'explanations', endpoint.id]);
        explanation = explained.body;
        if ('deliveryId' in explanation && explanation.last) {
          const { deliveryId } = explanation;
          const attempts = await api.call<Page<Attempt>>('GET', ['deliveries', deliveryId, 'attempts']);
          attempt = attempts.body.items.at(-1);
          isWaiting = false;
          portal.update();
          return;
        }
      } catch (cause) {
        // The event is not stored yet for a reader, or there was no answer: asked again.
        if (cause instanceof ApiError && !['offline', 'unavailable', 'no_such_event'].includes(cause.code)) {
          action.error = cause;
          isWaiting = false;
          portal.update();
          return;
        }
      }
      portal.update();
      await pause(700);
    }
  };

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    data = fieldText(event.target, 'data');
    dataError = undefined;
    attempt = undefined;
    explanation = undefined;
    let parsed: unknown;
    try {
      parsed = JSON.parse(data);
    } catch {
      dataError = t('test.no-json');
      portal.update();
      return;
    }
    let eventId: string | undefined;
    const isSent = await action.run(async () => {
      const body = { objectName, type, data: parsed };
      ({ eventId } = (await api.call<{ eventId: string }>('POST', ['endpoints', endpoint.id, 'test'], { body })).body);
    });
    if (!isSent || eventId === undefined) return;
    isWaiting = true;
    portal.update();
    await follow(eventId);
    reload();
  };

  const result = (): TemplateResult | typeof nothing => {
    if (attempt) {
      const isRight = attempt.kind === 'answered' && attempt.status >= 200 && attempt.status < 300;
      return notice(isRight ? 'success' : 'error', attemptText(texts, attempt));
    }
    if (isWaiting)
      return notice(
        'info',
        html`<progress aria-label=${t('test.waiting')}></progress>
          ${explanation ? explanationText(texts, explanation) : t('test.waiting')}`,
      );
    return nothing;
  };

  portal.open({
    title: t('test.title'),
    onClose: () => {
      isClosed = true;
    },
    render: () => {
      const types = typesOf(objectName);
      return html`<form novalidate @submit=${submit}>
        <p>${t('test.text')}</p>
        ${field(
          'test-object',
          t('filter.object'),
          html`<select
            id="test-object"
            @change=${(event: Event) => {
              objectName = (event.target as HTMLSelectElement).value;
              type = typesOf(objectName)[0]?.type ?? '';
              data = sample();
              portal.update();
            }}
          >
            ${objects.map((each) => html`<option ?selected=${each.objectName === objectName}>${each.objectName}</option>`)}
          </select>`,
        )}
        ${field(
          'test-type',
          t('filter.type'),
          html`<select
            id="test-type"
            @change=${(event: Event) => {
              const { form, value } = event.target as HTMLSelectElement;
              const isSample = fieldText(form, 'data') === sample();
              type = value;
              // What a person has written stays.
              if (isSample) data = sample();
              portal.update();
            }}
          >
            ${types.map((each) => html`<option ?selected=${each.type === type}>${each.type}</option>`)}
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
            .value=${data}
            aria-invalid=${dataError === undefined ? 'false' : 'true'}
            aria-describedby=${describedBy('test-data', true)}
          ></textarea>`,
          { hint: t('test.data-hint'), error: dataError },
        )}
        ${failureOf(texts, action)}
        ${action.error?.code === 'invalid_event' ? notice('error', action.error.message) : nothing}
        <div aria-live="polite">${result()}</div>
        ${dialogButtons(
          html`<button type="button" @click=${() => portal.close()}>${t('close')}</button>`,
          actionButton(action, t('test.send'), { kind: 'primary', type: 'submit', isDisabled: isWaiting }),
        )}
      </form>`;
    },
  });
};
