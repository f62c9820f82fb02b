import { html, nothing } from 'lit';
import { fieldText, localTime, secondsOf } from './form.ts';
import type { Endpoint, Portal } from './portal.ts';
import { actionButton, describedBy, dialogButtons, failureOf, field, notice } from './templates.ts';

const hourAgo = (): number => Math.floor(Date.now() / 1_000) - 3_600;

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
          ['endpoints', endpoint.id, 'replay'],
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
