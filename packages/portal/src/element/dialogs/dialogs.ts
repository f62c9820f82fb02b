import { html } from 'lit';
import type { ApiKey, CreatedApiKey, Dialogs, Portal } from '../portal.ts';
import type { KeyInput } from './key-settings.ts';
import './key-rotation.ts';
import './key-settings.ts';
import './replay-dialog.ts';
import './rotation-dialog.ts';
import './test-dialog.ts';
import { openSecret } from './secret-dialog.ts';

/** Makes the dialogs. @internal */
export const createDialogs = (portal: Portal): Dialogs => {
  const { api, texts } = portal;
  const { t } = texts;
  /** A key that was made with public keys has no secret to show. */
  const showKey = ({ key, secret }: CreatedApiKey, title: string, warning?: string): void => {
    if (secret === undefined) portal.announce(t('saved'));
    else
      openSecret(portal, {
        title,
        intro: t('key.secret-intro', { name: key.name }),
        values: [[t('key.client-id'), key.id]],
        label: t('key.client-secret'),
        secret,
        warning,
      });
  };

  return {
    addKey: (onDone) => {
      const act = async (input: KeyInput): Promise<() => void> => {
        const { body } = await api.call<CreatedApiKey>('POST', ['api-keys'], { body: input });
        return () => {
          portal.emit('partnerkit:key-added', { keyId: body.key.id });
          showKey(body, t('key.added'));
        };
      };
      return html`<partnerkit-key-settings
        .portal=${portal}
        .title=${t('key.add')}
        .confirm=${t('key.add-confirm')}
        .act=${act}
        .onDone=${onDone}
      ></partnerkit-key-settings>`;
    },
    changeKey: (former: ApiKey, onDone) => {
      const act = async (input: KeyInput): Promise<() => void> => {
        await api.call('PATCH', ['api-keys', former.id], { body: input });
        return () => {
          portal.emit('partnerkit:key-changed', { keyId: former.id, change: 'updated' });
          portal.announce(t('saved'));
        };
      };
      return html`<partnerkit-key-settings
        .portal=${portal}
        .title=${t('webhook.edit')}
        .confirm=${t('save')}
        .former=${former}
        .act=${act}
        .onDone=${onDone}
      ></partnerkit-key-settings>`;
    },
    rotateKey: (key, onDone) =>
      html`<partnerkit-key-rotation
        .portal=${portal}
        .key=${key}
        .show=${showKey}
        .onDone=${onDone}
      ></partnerkit-key-rotation>`,
    replay: (endpoint, onDone) =>
      html`<partnerkit-replay .portal=${portal} .endpoint=${endpoint} .onDone=${onDone}></partnerkit-replay>`,
    rotateWebhook: (endpoint, onDone) =>
      html`<partnerkit-rotation .portal=${portal} .endpoint=${endpoint} .onDone=${onDone}></partnerkit-rotation>`,
    test: (endpoint, onDone) =>
      html`<partnerkit-test .portal=${portal} .endpoint=${endpoint} .onDone=${onDone}></partnerkit-test>`,
    webhookSecret: ({ secret }, onDone) =>
      html`<partnerkit-secret
        .portal=${portal}
        .shown=${{ title: t('webhook.created'), intro: t('webhook.secret-intro'), label: t('webhook.secret'), secret }}
        .onDone=${onDone}
      ></partnerkit-secret>`,
  };
};
