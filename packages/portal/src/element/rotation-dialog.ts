import { html } from 'lit';
import type { Endpoint, NewWebhookSecret, Portal } from './portal.ts';
import { openSecret } from './secret-dialog.ts';
import { actionButton, dialogButtons, failureOf } from './templates.ts';

/** Rotates the webhook secret: first the receiver learns the next one, then it signs. @internal */
export const openRotation = (portal: Portal, endpoint: Endpoint, reload: () => void): void => {
  const { api, texts } = portal;
  const { t } = texts;
  const path = ['endpoints', endpoint.id, 'secret'];
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
              if (await action.run(async () => void (await api.call('POST', [...path, 'cancel']))))
                done('secret_cancelled', t('rotate.cancelled'));
            },
          }),
          actionButton(action, t('rotate.activate'), {
            kind: 'primary',
            onClick: async () => {
              if (await action.run(async () => void (await api.call('POST', [...path, 'activate']))))
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
      made = (await api.call<NewWebhookSecret>('POST', [...path, 'prepare'])).body;
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
        html`<button type="button" @click=${() => portal.close()}>${t('cancel')}</button>`,
        actionButton(action, t('rotate.prepare'), { kind: 'primary', onClick: prepare }),
      )}`,
  });
};
