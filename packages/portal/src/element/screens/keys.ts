import { html, nothing, type TemplateResult } from 'lit';
import { readAll } from '../api.ts';
import { badge } from '../parts/badge.ts';
import { plainButton } from '../parts/button.ts';
import { copyable } from '../parts/copyable.ts';
import { confirmation } from '../parts/dialog-part.ts';
import { heading } from '../parts/heading.ts';
import { type MenuItem, menu } from '../parts/menu.ts';
import { emptyState } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { publicKeyText } from '../parts/public-key-fields.ts';
import { Resource } from '../parts/resource.ts';
import { rightsText } from '../parts/rights-fields.ts';
import { table } from '../parts/table.ts';
import { ago, exactly } from '../parts/time.ts';
import { withData } from '../parts/with-data.ts';
import type { ApiKey, Portal } from '../portal.ts';
import { canLogIn, endsSoon, hasEnded, isActive, lastUse } from '../secrets.ts';

type Secret = ApiKey['secrets'][number];

/** The API keys of the account (specification §1.4). */
class Keys extends ScreenPart {
  readonly #keys = new Resource<readonly ApiKey[]>(this, {
    name: () => 'keys',
    every: 15_000,
    read: async (api, signal) => readAll<ApiKey>(api, 'api-keys', signal),
  });

  readonly #reload = (): void => void this.#keys.load();

  /** Asks, changes a key and says so. */
  #ask(
    key: ApiKey,
    {
      title,
      text,
      path,
      change,
      isDangerous = true,
    }: {
      readonly title: string;
      readonly text: string;
      /** Empty: the key is deleted. */
      readonly path: readonly string[];
      readonly change: string;
      readonly isDangerous?: boolean;
    },
  ): void {
    const { portal } = this;
    const { api, texts } = portal;
    const isDeletion = path.length === 0;
    confirmation(portal, {
      title,
      text,
      confirm: title,
      isDangerous,
      act: () => api.call(isDeletion ? 'DELETE' : 'POST', ['api-keys', key.id, ...path]),
      onDone: () => {
        portal.emit('partnerkit:key-changed', { keyId: key.id, change });
        portal.announce(texts.t(isDeletion ? 'deleted' : 'saved'));
        this.#reload();
      },
    });
  }

  #revoke(key: ApiKey, secret: Secret): TemplateResult | typeof nothing {
    const { t } = this.portal.texts;
    if (!this.portal.can('keys', 'write') || !isActive(secret)) return nothing;
    return html`<button
      type="button"
      class="small"
      aria-label=${t('secret.revoke-of', { secret: secret.id })}
      @click=${() =>
        this.#ask(key, {
          title: t('secret.revoke'),
          text: t('secret.revoke-text', { name: key.name }),
          path: ['secrets', secret.id, 'revoke'],
          change: 'secret_revoked',
        })}
    >
      ${t('secret.revoke')}
    </button>`;
  }

  #secrets(key: ApiKey): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    const state = (secret: Secret): TemplateResult => {
      if (secret.revoked) return badge('bad', t('secret.revoked'));
      return isActive(secret) ? badge('good', t('secret.active')) : badge('neutral', t('secret.expired'));
    };
    return table<Secret>({
      label: t('key.secrets-of', { name: key.name }),
      name: 'secrets',
      items: key.secrets.toReversed(),
      keyOf: ({ id }) => id,
      columns: [
        {
          name: t('secret.id'),
          cell: ({ id, label }) => html`<code>${id}</code>${label ? html` <span>${label}</span>` : nothing}`,
        },
        { name: t('state'), cell: state },
        { name: t('created'), cell: ({ createdAt }) => ago(texts, createdAt) },
        {
          name: t('secret.ends'),
          cell: ({ expiresAt, revoked }) =>
            expiresAt !== undefined && !revoked ? exactly(texts, expiresAt) : t('secret.no-end'),
        },
        {
          name: t('secret.last-used'),
          cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? t('never') : ago(texts, lastUsedAt)),
        },
        { name: '', look: 'end', cell: (secret) => this.#revoke(key, secret) },
      ],
    });
  }

  #actions(key: ApiKey): TemplateResult | typeof nothing {
    const { portal } = this;
    const { t } = portal.texts;
    if (!portal.can('keys', 'write')) return nothing;
    const ask = (change: 'enable' | 'disable' | 'delete', done: string): MenuItem => ({
      label: t(`key.${change}`),
      isDangerous: change === 'delete',
      act: () =>
        this.#ask(key, {
          title: t(`key.${change}`),
          text: t(`key.${change}-text`, { name: key.name }),
          path: change === 'delete' ? [] : [change],
          change: done,
          isDangerous: change !== 'enable',
        }),
    });
    return html`<div class="row">
      ${plainButton(t('key.rotate'), () => portal.openLater((dialogs) => dialogs.rotateKey(key, this.#reload)))}
      ${menu(portal, [
        {
          label: t('webhook.edit'),
          act: () => portal.openLater((dialogs) => dialogs.changeKey(key, this.#reload)),
        },
        key.disabled ? ask('enable', 'enabled') : ask('disable', 'disabled'),
        ask('delete', 'deleted'),
      ])}
    </div>`;
  }

  /** The last call, the calls of 30 days, and why the last refused one was refused. */
  #calls({ usage }: ApiKey): TemplateResult | typeof nothing {
    const { texts } = this.portal;
    const { t } = texts;
    if (usage?.lastCallAt === undefined) return nothing;
    const { lastCallAt, calls, lastRefusal } = usage;
    return html`<p class="muted" data-calls=${calls}>
        ${t('key.called')} ${ago(texts, lastCallAt)} · ${t('key.calls', { count: calls })}
      </p>
      ${
        lastRefusal
          ? html`<p class="muted">
              ${t('key.refused-call')} ${ago(texts, lastRefusal.at)}: ${t(`refusal.${lastRefusal.reason}`)}
            </p>`
          : nothing
      }`;
  }

  /** The limits of a key beside its rights, and its public keys. */
  #limits({ children, networks, jwks, expiresAt }: ApiKey): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    const line = (label: string, text: string): TemplateResult => html`<p class="muted">${label}: ${text}</p>`;
    return html`${
      children === undefined
        ? nothing
        : line(t('key.children'), children.length === 0 ? t('key.children-none') : texts.list(children))
    }
    ${networks === undefined ? nothing : line(t('key.networks'), texts.list(networks))}
    ${jwks === undefined ? nothing : line(t('key.public'), texts.list(jwks.keys.map(publicKeyText)))}
    ${
      expiresAt === undefined ? nothing : html`<p class="muted">${t('key.expires')}: ${exactly(texts, expiresAt)}</p>`
    }`;
  }

  #item(key: ApiKey): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    const used = lastUse(key);
    const ends = endsSoon(key);
    const state = (): TemplateResult => {
      if (key.disabled) return badge('bad', t('key.disabled'));
      if (hasEnded(key)) return badge('bad', t('key.expired'));
      return canLogIn(key) ? badge('good', t('key.active')) : badge('bad', t('key.ended'));
    };
    return html`<li class="card" part="card" data-api-key=${key.id}>
      <div class="row spread">
        <div class="row">
          <h3>${key.name}</h3>
          ${state()} ${key.usage?.isUnused ? badge('warning', t('key.unused-long')) : nothing}
        </div>
        ${this.#actions(key)}
      </div>
      ${copyable(portal, t('key.client-id'), key.id)}
      <p class="muted">
        ${used === undefined ? t('key.unused') : html`${t('key.used')} ${ago(texts, used)}`} · ${t('key.created')}
        ${ago(texts, key.createdAt)}
      </p>
      ${this.#calls(key)}
      ${
        key.rights === undefined && portal.session.rights.length === 0
          ? nothing
          : html`<p class="muted">${t('key.rights')}: ${rightsText(texts, key.rights)}</p>`
      }
      ${this.#limits(key)}
      ${
        key.lastRefusal
          ? html`<p class="muted">
            ${t('key.refused')} ${ago(texts, key.lastRefusal.at)}: ${t(`refusal.${key.lastRefusal.reason}`)}
          </p>`
          : nothing
      }
      ${ends === undefined ? nothing : html`<p class="warning">${t('key.ends')} ${exactly(texts, ends)}</p>`}
      ${
        key.secrets.length === 0
          ? nothing
          : html`<details>
              <summary>
                ${t('key.secrets', { count: key.secrets.length })}<span class="hidden"> ${key.name}</span>
              </summary>
              ${this.#secrets(key)}
            </details>`
      }
    </li>`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const add = portal.can('keys', 'write')
      ? plainButton(t('key.add'), () => portal.openLater((dialogs) => dialogs.addKey(this.#reload)), 'primary')
      : nothing;
    return html`${heading(portal, t('keys'), (this.#keys.value?.length ?? 0) > 0 ? { actions: add } : {})}
      <p class="muted">${t('keys.intro')}</p>
      ${withData(portal.texts, this.#keys, (all) =>
        all.length === 0
          ? emptyState(t('keys.none'), t('keys.none-text'), add)
          : html`<ul class="cards">
              ${all.toReversed().map((key) => this.#item(key))}
            </ul>`,
      )}`;
  }
}

define('partnerkit-keys', Keys);

/** @internal */
export const screen = (portal: Portal): TemplateResult => html`<partnerkit-keys .portal=${portal}></partnerkit-keys>`;
