import { html, nothing, type TemplateResult } from 'lit';
import type { Page } from '../api.ts';
import { endpointName } from '../health.ts';
import type { Endpoint, Portal, SendingPause } from '../portal.ts';
import { plainButton } from './button.ts';
import { confirmation } from './dialog-part.ts';
import { card } from './heading.ts';
import { define, PortalPart } from './portal-part.ts';
import { Resource } from './resource.ts';
import { exactly } from './time.ts';
import { withData } from './with-data.ts';

/** The pauses of sending that concern a webhook, for operators of the platform. */
class SendingPauses extends PortalPart {
  static override properties = {
    ...PortalPart.properties,
    endpoint: { attribute: false },
    onChange: { attribute: false },
  };

  declare endpoint: Endpoint;
  /** Runs when a pause has begun or ended. */
  declare onChange: () => void;

  readonly #pauses = new Resource<readonly SendingPause[]>(this, {
    name: () => 'sending',
    every: 5_000,
    read: async (api, signal) => (await api.call<Page<SendingPause>>('GET', ['sending'], { signal })).body.items,
  });

  #button(call: 'pause' | 'resume', scope: 'account' | 'endpoint'): TemplateResult {
    const { portal, endpoint } = this;
    const { api, texts } = portal;
    const title = texts.t(`sending.${call}-${scope}`);
    return plainButton(title, () =>
      confirmation(portal, {
        title,
        text: texts.t(`sending.${call}-text`, {
          name: scope === 'account' ? texts.t('audit.all-webhooks') : endpointName(endpoint),
        }),
        confirm: title,
        isDangerous: call === 'pause',
        act: () =>
          api.call('POST', ['sending', call], { body: scope === 'account' ? {} : { endpointId: endpoint.id } }),
        onDone: () => {
          portal.announce(texts.t('saved'));
          void this.#pauses.load();
          this.onChange();
        },
      }),
    );
  }

  #pause({ scope, since, by }: SendingPause): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const canEnd = scope !== 'platform' && portal.can('sending', 'write');
    return html`<li class="row spread" data-pause=${scope}>
      <span>
        ${texts.t(`sending.of-${scope}`)} ${exactly(texts, since)}${by === undefined ? nothing : html` · ${by}`}
        ${scope === 'platform' ? html`<span class="muted">${texts.t('sending.platform-ends')}</span>` : nothing}
      </span>
      ${canEnd ? this.#button('resume', scope) : nothing}
    </li>`;
  }

  override render(): TemplateResult {
    const { portal, endpoint } = this;
    const { t } = portal.texts;
    return card(
      t('sending'),
      withData(portal.texts, this.#pauses, (all) => {
        const pauses = all.filter(({ endpointId = endpoint.id }) => endpointId === endpoint.id);
        const begun = pauses.map(({ scope }) => scope);
        const possible = (['endpoint', 'account'] as const).filter((scope) => !begun.includes(scope));
        return html`${
          pauses.length === 0
            ? html`<p class="muted">${t('sending.none')}</p>`
            : html`<ul class="plain column">
                ${pauses.map((pause) => this.#pause(pause))}
              </ul>`
        }
        ${
          portal.can('sending', 'write') && possible.length > 0
            ? html`<p class="row">${possible.map((scope) => this.#button('pause', scope))}</p>`
            : nothing
        }`;
      }),
    );
  }
}

define('partnerkit-sending-pauses', SendingPauses);

/** @internal */
export const sendingPauses = (portal: Portal, endpoint: Endpoint, onChange: () => void): TemplateResult =>
  html`<partnerkit-sending-pauses
    .portal=${portal}
    .endpoint=${endpoint}
    .onChange=${onChange}
  ></partnerkit-sending-pauses>`;
