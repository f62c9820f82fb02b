import { html, nothing, type TemplateResult } from 'lit';
import type { Page } from './api.ts';
import { attemptText } from './attempt.ts';
import type { Attempt, Delivery, Endpoint, Portal } from './portal.ts';
import { moment } from './templates.ts';

/** Maximum number of deliveries whose attempts are read for one endpoint. */
const maxDeliveries = 3;

const isFailed = (attempt: Attempt): boolean =>
  attempt.kind === 'failed' || attempt.status < 200 || attempt.status >= 300;

/**
 * The newest failed attempt among the oldest unfinished deliveries of an endpoint that fails. `undefined` for another
 * endpoint, and without the right to read deliveries.
 * @internal
 */
export const readLastFailure = async (
  { api, can }: Portal,
  { id: endpointId, health }: Endpoint,
  signal: AbortSignal,
): Promise<Attempt | undefined> => {
  const { status, failingSince = 0, disabledBy } = health;
  if (status === 'delivering' || (status === 'disabled' && disabledBy !== 'failing')) return undefined;
  if (!can('deliveries', 'read')) return undefined;
  const attemptsOf = async ({ id }: Delivery): Promise<readonly Attempt[]> =>
    (await api.call<Page<Attempt>>('GET', ['deliveries', id, 'attempts'], { signal })).body.items;
  try {
    const query = { endpointId, state: status === 'disabled' ? 'held' : 'waiting', limit: 50 };
    const { items } = (await api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal })).body;
    const attempted = items.filter(({ attempts }) => attempts > 0).slice(0, maxDeliveries);
    const all = (await Promise.all(attempted.map(attemptsOf))).flat();
    return all.filter((each) => isFailed(each) && each.at >= failingSince).toSorted((a, b) => b.at - a.at)[0];
  } catch {
    // The health itself is known. The reason is read again with it.
    return undefined;
  }
};

/** When and why the last attempt failed. @internal */
export const lastFailure = ({ texts }: Portal, attempt: Attempt | undefined): TemplateResult | typeof nothing =>
  attempt
    ? html`<div class="why" part="why">
        ${texts.t('health.last')} ${moment(texts, attempt.at)} ${attemptText(texts, attempt)}
      </div>`
    : nothing;
