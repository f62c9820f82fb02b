import { html, nothing, type TemplateResult } from 'lit';
import { ApiError } from './api.ts';
import { explanationText, outcomeText } from './explanation.ts';
import { fieldText, localTime, secondsOf } from './form.ts';
import type { Attempt, Delivery, Endpoint, Explanation, NewWebhookSecret, Page, Portal } from './portal.ts';
import { openSecret } from './secret-dialog.ts';
import { actionButton, confirmation, describedBy, dialogButtons, failureOf, field, notice } from './templates.ts';

const cancelButton = (portal: Portal): TemplateResult =>
  html`<button type="button" @click=${() => portal.close()}>${portal.texts.t('cancel')}</button>`;

const hourAgo = (): number => Math.floor(Date.now() / 1_000) - 3_600;

/** Rotates the webhook secret: first the receiver learns the next one, then it signs. @internal */
export const openRotation = (portal: Portal, endpoint: Endpoint, reload: () => void): void => {
  const { api, texts } = portal;
  const { t } = texts;
  const path = `/endpoints/${endpoint.id}/secret`;
  const action = portal.action();
  const done = (change: string, text: string): void => {
    portal.close();
    portal.emit('partnerkit:endpoint-changed', { endpointId: endpoint.id, change });
    portal.announce(text);
    reload();
  };

  const second = (): void =>
    portal.open({
      title: t('rotate.title-2'),
      render: () => html`<p>${t('rotate.text-2')}</p>
        ${failureOf(texts, action)}
        ${dialogButtons(
          html`<button type="button" @click=${() => portal.close()}>${t('rotate.later')}</button>`,
          actionButton(action, t('rotate.cancel'), {
            onClick: async () => {
              if (await action.run(async () => void (await api.call('POST', `${path}/cancel`))))
                done('secret_cancelled', t('rotate.cancelled'));
            },
          }),
          actionButton(action, t('rotate.activate'), {
            kind: 'primary',
            onClick: async () => {
              if (await action.run(async () => void (await api.call('POST', `${path}/activate`))))
                done('secret_activated', t('rotate.activated'));
            },
          }),
        )}`,
    });

  if (endpoint.rotating) {
    second();
    return;
  }
  const prepare = async (): Promise<void> => {
    let made: NewWebhookSecret | undefined;
    const isMade = await action.run(async () => {
      made = (await api.call<NewWebhookSecret>('POST', `${path}/prepare`)).body;
    });
    if (!isMade || !made) return;
    portal.close();
    reload();
    openSecret(portal, {
      title: t('rotate.next'),
      intro: t('rotate.next-intro'),
      label: t('webhook.secret'),
      secret: made.secret,
      onDone: second,
    });
  };
  portal.open({
    title: t('rotate.title-1'),
    render: () => html`<p>${t('rotate.text-1')}</p>
      ${failureOf(texts, action)}
      ${dialogButtons(
        cancelButton(portal),
        actionButton(action, t('rotate.prepare'), { kind: 'primary', onClick: prepare }),
      )}`,
  });
};

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
  const sampleOf = (name: string): string =>
    JSON.stringify(objects.find((each) => each.objectName === name)?.sample ?? {}, null, 2);
  let data = sampleOf(objectName);
  let dataError: string | undefined;
  let explanation: Explanation | undefined;
  let attempt: Attempt | undefined;
  let isWaiting = false;
  let isClosed = false;

  /** Follows the event until it was attempted. */
  const follow = async (eventId: string): Promise<void> => {
    while (!isClosed) {
      try {
        const explained = await api.call<Explanation>('GET', `/events/${eventId}/explanations/${endpoint.id}`);
        explanation = explained.body;
        if ('deliveryId' in explanation && explanation.last) {
          const { deliveryId } = explanation;
          const attempts = await api.call<Page<Attempt>>(
            'GET',
            `/deliveries/${encodeURIComponent(deliveryId)}/attempts`,
          );
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
      ({ eventId } = (await api.call<{ eventId: string }>('POST', `/endpoints/${endpoint.id}/test`, { body })).body);
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
      return notice(
        isRight ? 'success' : 'error',
        html`<strong>${outcomeText(texts, attempt)}</strong> ${t('attempt.duration', { ms: Math.round(attempt.durationMs) })}
          ${attempt.kind === 'answered' && attempt.body !== '' ? html`<pre tabindex="0">${attempt.body}</pre>` : nothing}`,
      );
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
      const types = objects.find((each) => each.objectName === objectName)?.events ?? [];
      return html`<form novalidate @submit=${submit}>
        <p>${t('test.text')}</p>
        ${field(
          'test-object',
          t('filter.object'),
          html`<select
            id="test-object"
            @change=${(event: Event) => {
              objectName = (event.target as HTMLSelectElement).value;
              type = objects.find((each) => each.objectName === objectName)?.events[0]?.type ?? '';
              data = sampleOf(objectName);
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
              type = (event.target as HTMLSelectElement).value;
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

/** Sends the events of a period again, batch by batch. @internal */
export const openReplay = (portal: Portal, endpoint: Endpoint, reload: () => void): void => {
  const { api, texts } = portal;
  const { t } = texts;
  const action = portal.action();
  let sent: number | undefined;
  let isClosed = false;
  let isDone = false;
  let fault: string | undefined;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [from, to] = ['from', 'to'].map((name) => secondsOf(fieldText(event.target, name)));
    fault = from === undefined || to === undefined || from >= to ? t('replay.wrong') : undefined;
    if (from === undefined || to === undefined || fault !== undefined) {
      portal.update();
      return;
    }
    sent = 0;
    isDone = false;
    await action.run(async () => {
      for (let after: string | undefined, more = true; more && !isClosed; more = after !== undefined) {
        const body = { from, to, ...(after === undefined ? {} : { after }) };
        const batch = await api.call<{ deliveries: number; next?: string }>(
          'POST',
          `/endpoints/${endpoint.id}/replay`,
          { body },
        );
        sent = (sent ?? 0) + batch.body.deliveries;
        after = batch.body.next;
        portal.update();
      }
      isDone = true;
    });
    reload();
  };
  portal.open({
    title: t('replay.title'),
    onClose: () => {
      isClosed = true;
    },
    render: () => html`<form novalidate @submit=${submit}>
      <p>${t('replay.text')}</p>
      ${field(
        'replay-from',
        t('filter.from'),
        html`<input
          id="replay-from"
          name="from"
          type="datetime-local"
          value=${localTime(hourAgo())}
          aria-invalid=${fault === undefined ? 'false' : 'true'}
          aria-describedby=${describedBy('replay-from', false)}
        />`,
      )}
      ${field(
        'replay-to',
        t('filter.to'),
        html`<input
          id="replay-to"
          name="to"
          type="datetime-local"
          value=${localTime(hourAgo() + 3_660)}
          aria-invalid=${fault === undefined ? 'false' : 'true'}
          aria-describedby=${describedBy('replay-to', false)}
        />`,
        { error: fault },
      )}
      ${failureOf(texts, action)}
      <div aria-live="polite">
        ${
          sent === undefined
            ? nothing
            : notice(
                isDone ? 'success' : 'info',
                html`${action.isPending ? html`<progress aria-label=${t('replay.running')}></progress>` : nothing}
                ${t(isDone ? 'replay.done' : 'replay.progress', { count: sent })}`,
              )
        }
      </div>
      ${dialogButtons(
        html`<button type="button" @click=${() => portal.close()}>${t(action.isPending ? 'replay.stop' : 'close')}</button>`,
        actionButton(action, t('replay.start'), { kind: 'primary', type: 'submit' }),
      )}
    </form>`,
  });
};

/** Enables an endpoint, disables it or deletes it, after saying what will happen. @internal */
export const openChange = (
  portal: Portal,
  endpoint: Endpoint,
  change: 'enable' | 'disable' | 'delete',
  onDone: () => void,
): void => {
  const { api, texts } = portal;
  confirmation(portal, {
    title: texts.t(`webhook.${change}`),
    text: texts.t(`webhook.${change}-text`, { url: endpoint.url }),
    confirm: `webhook.${change}`,
    act: async () => {
      const path = `/endpoints/${endpoint.id}`;
      if (change === 'delete') {
        await api.call('DELETE', path);
        portal.emit('partnerkit:endpoint-deleted', { endpointId: endpoint.id });
      } else {
        await api.call('POST', `${path}/${change}`);
        portal.emit('partnerkit:endpoint-changed', { endpointId: endpoint.id, change: `${change}d` });
      }
      portal.announce(texts.t(change === 'delete' ? 'deleted' : 'saved'));
      onDone();
    },
  });
};

/** Sends a delivery again. @internal */
export const sendAgain = async (portal: Portal, { id }: Delivery): Promise<void> => {
  await portal.api.call('POST', `/deliveries/${encodeURIComponent(id)}/send-again`);
  portal.announce(portal.texts.t('delivery.sent-again'));
};
