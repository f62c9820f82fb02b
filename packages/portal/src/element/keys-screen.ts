import { html, nothing, type TemplateResult } from 'lit';
import { isActive } from './active-secret.ts';
import { readAll } from './api.ts';
import { addKey, renameKey, rotateKey } from './key-dialogs.ts';
import type { ApiKey, Portal, Screen } from './portal.ts';
import { badge, confirmation, copyable, emptyState, moment, withData } from './templates.ts';

type Secret = ApiKey['secrets'][number];

const lastUse = ({ secrets }: ApiKey): number | undefined => {
  const uses = secrets.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return uses.length === 0 ? undefined : Math.max(...uses);
};

/** The API keys of the account (specification §1.4). @internal */
export const createKeysScreen = (portal: Portal): Screen => {
  const { api, texts } = portal;
  const { t } = texts;
  const canWrite = portal.can('keys', 'write');
  const keys = portal.resource(async (signal) => (await readAll<ApiKey>(api, 'api-keys', signal)).toReversed(), 15_000);
  const reload = (): void => void keys.load();

  const change = async (key: ApiKey, path: readonly string[], name: string): Promise<void> => {
    await api.call('POST', ['api-keys', key.id, ...path]);
    portal.emit('partnerkit:key-changed', { keyId: key.id, change: name });
    portal.announce(t('saved'));
    reload();
  };

  const secretRow = (key: ApiKey, secret: Secret): TemplateResult => {
    const isOn = isActive(secret);
    const state = secret.revoked
      ? badge('bad', t('secret.revoked'))
      : isOn
        ? badge('good', t('secret.active'))
        : badge('neutral', t('secret.expired'));
    return html`<tr>
      <th scope="row"><code>${secret.id}</code>${secret.label ? html` <span>${secret.label}</span>` : nothing}</th>
      <td data-label=${t('state')}>${state}</td>
      <td data-label=${t('created')}>${moment(texts, secret.createdAt)}</td>
      <td data-label=${t('secret.ends')}>
        ${secret.expiresAt !== undefined && !secret.revoked ? moment(texts, secret.expiresAt) : t('secret.no-end')}
      </td>
      <td data-label=${t('secret.last-used')}>${secret.lastUsedAt === undefined ? t('never') : moment(texts, secret.lastUsedAt)}</td>
      <td class="end">
        ${
          canWrite && isOn
            ? html`<button
              type="button"
              class="small"
              aria-label=${t('secret.revoke-of', { secret: secret.id })}
              @click=${() =>
                confirmation(portal, {
                  title: t('secret.revoke'),
                  text: t('secret.revoke-text', { name: key.name }),
                  confirm: 'secret.revoke',
                  act: () => change(key, ['secrets', secret.id, 'revoke'], 'secret_revoked'),
                })}
            >
              ${t('secret.revoke')}
            </button>`
            : nothing
        }
      </td>
    </tr>`;
  };

  const actions = (key: ApiKey): TemplateResult => html`<div class="buttons">
    <button type="button" @click=${() => rotateKey(portal, key, reload)}>${t('key.rotate')}</button>
    <button type="button" @click=${() => renameKey(portal, key, reload)}>${t('key.rename')}</button>
    ${
      key.disabled
        ? html`<button
          type="button"
          @click=${() =>
            confirmation(portal, {
              title: t('key.enable'),
              text: t('key.enable-text', { name: key.name }),
              confirm: 'key.enable',
              act: () => change(key, ['enable'], 'enabled'),
            })}
        >
          ${t('key.enable')}
        </button>`
        : html`<button
          type="button"
          class="danger"
          @click=${() =>
            confirmation(portal, {
              title: t('key.disable'),
              text: t('key.disable-text', { name: key.name }),
              confirm: 'key.disable',
              act: () => change(key, ['disable'], 'disabled'),
            })}
        >
          ${t('key.disable')}
        </button>`
    }
  </div>`;

  const item = (key: ApiKey): TemplateResult => {
    const used = lastUse(key);
    return html`<li class="card" part="card" data-key=${key.id}>
      <div class="row">
        <h3>${key.name}</h3>
        ${key.disabled ? badge('bad', t('key.disabled')) : badge('good', t('key.active'))}
        <p class="muted">
          ${used === undefined ? t('key.unused') : html`${t('key.used')} ${moment(texts, used)}`}
        </p>
      </div>
      ${copyable(portal, t('key.client-id'), key.id)}
      <details>
        <summary>
          ${t('key.secrets', { count: key.secrets.length })}<span class="hidden"> ${key.name}</span>
        </summary>
        <div class="scroll" tabindex="0" role="group" aria-label=${t('key.secrets-of', { name: key.name })}>
          <table>
            <thead>
              <tr>
                <th scope="col">${t('secret.id')}</th>
                <th scope="col">${t('state')}</th>
                <th scope="col">${t('created')}</th>
                <th scope="col">${t('secret.ends')}</th>
                <th scope="col">${t('secret.last-used')}</th>
                <th scope="col"><span class="hidden">${t('actions')}</span></th>
              </tr>
            </thead>
            <tbody>
              ${key.secrets.toReversed().map((secret) => secretRow(key, secret))}
            </tbody>
          </table>
        </div>
      </details>
      ${canWrite ? actions(key) : nothing}
    </li>`;
  };

  const add = (kind: string): TemplateResult | typeof nothing =>
    canWrite
      ? html`<button type="button" class=${kind} part="button ${kind}" @click=${() => addKey(portal, reload)}>
          ${t('key.add')}
        </button>`
      : nothing;

  return {
    title: t('keys'),
    start: () => keys.start(),
    stop: () => keys.stop(),
    render: () => html`<div class="bar">
        <p class="muted">${t('keys.intro')}</p>
        ${(keys.value?.length ?? 0) > 0 ? add('primary') : nothing}
      </div>
      ${withData(portal, keys, (all) =>
        all.length === 0
          ? emptyState(t('keys.none'), t('keys.none-text'), add('primary'))
          : html`<ul class="cards">
              ${all.map(item)}
            </ul>`,
      )}`,
  };
};
