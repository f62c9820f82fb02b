import { html, nothing, type TemplateResult } from 'lit';
import type { Delivery, Portal } from '../portal.ts';
import { badge } from './badge.ts';
import { link } from './link.ts';
import { type Column, table } from './table.ts';
import { ago } from './time.ts';

const tones = {
  waiting: 'warning',
  held: 'neutral',
  delivered: 'good',
  exhausted: 'bad',
  expired: 'neutral',
} as const;

/** The state of a delivery in a word. @internal */
export const stateBadge = ({ texts }: Pick<Portal, 'texts'>, state: Delivery['state']): TemplateResult =>
  badge(tones[state], texts.t(`state.${state}`));

/**
 * Deliveries, each a link to its attempts.
 * @param nameOf - The name of an endpoint. Without it, all are of one webhook.
 * @internal
 */
export const deliveryList = (
  portal: Portal,
  items: readonly Delivery[],
  nameOf?: (endpointId: string) => string,
): TemplateResult => {
  const { texts } = portal;
  const { t } = texts;
  const webhook: Column<Delivery> = {
    name: t('webhook'),
    look: 'url',
    cell: ({ endpointId }) => link(portal, { screen: 'webhooks', id: endpointId }, nameOf?.(endpointId) ?? ''),
  };
  return table<Delivery>({
    label: t('deliveries'),
    name: 'deliveries',
    items,
    keyOf: ({ id }) => id,
    columns: [
      {
        name: t('event'),
        cell: ({ id, event }) =>
          html`${link(
            portal,
            { screen: 'deliveries', id },
            event ? `${event.objectName}.${event.type}` : t('event.pruned'),
          )}
          ${event?.isTest ? badge('neutral', t('event.test')) : nothing}
          ${event ? html`<br /><code class="muted">${event.objectId}</code>` : nothing}`,
      },
      { name: t('event.time'), cell: ({ event }) => (event ? ago(texts, event.timestamp) : nothing) },
      ...(nameOf ? [webhook] : []),
      { name: t('state'), cell: ({ state }) => stateBadge(portal, state) },
      { name: t('attempts'), look: 'number', cell: ({ attempts }) => texts.number(attempts) },
    ],
  });
};
