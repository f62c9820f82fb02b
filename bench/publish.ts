import type { PartnerkitOptions } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { openTelemetry } from '@partnerkit/opentelemetry';
import type { Figure } from './measure.ts';
import { memoryHost } from './memory-host.ts';
import { eventAt } from './postgres/load.ts';
import { figure, inTurns, rateOf, type Side } from './postgres/turns.ts';

const events = 4_000;
const warm = 500;
const deliveries = 50_000;
const rounds = 9;
const account = 'acc_0';

/** A host of one account with this many endpoints and no events. */
const hostWith = async (endpoints: number, options: Partial<PartnerkitOptions<never, never>> = {}) => {
  const host = memoryHost(memorySender(), { ...options, maxEndpoints: endpoints });
  for (let place = 0; place < endpoints; place++)
    await host.createEndpoint(account, `https://partner.example/${place}`);
  let published = 0;
  const publish = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left--)
      await host.kit.events.publish({ ...eventAt(published++), accountId: account, type: 'payed' }, { tx: 'new' });
  };
  return { publish, deliver: host.deliver };
};

const publishing =
  (endpoints: number, options: Partial<PartnerkitOptions<never, never>> = {}): Side =>
  async () => {
    const { publish } = await hostWith(endpoints, options);
    await publish(warm);
    return rateOf(events, () => publish(events));
  };

const fanningOut =
  (endpoints: number): Side =>
  async () => {
    const { publish, deliver } = await hostWith(endpoints);
    // The first delivery of an endpoint creates objects that later ones share.
    await publish(1);
    await deliver();
    await publish(deliveries / endpoints);
    return rateOf(deliveries, deliver);
  };

/** Publish and fan-out in memory: the cost of an additional endpoint, and of an unused observer. */
export async function* publish(): AsyncGenerator<Figure> {
  const published = await inTurns({ one: publishing(1), ten: publishing(10), thousand: publishing(1_000) }, rounds);
  yield figure('publish with 10 endpoints, of 1', 0.9, published.ten, published.one);
  yield figure('publish with 1,000 endpoints, of 1', 0.9, published.thousand, published.one);
  const fanned = await inTurns({ one: fanningOut(1), ten: fanningOut(10), thousand: fanningOut(1_000) }, rounds);
  yield figure('a delivery made for 10 endpoints, of 1', 0.9, fanned.ten, fanned.one);
  yield figure('a delivery made for 1,000 endpoints, of 10', 0.8, fanned.thousand, fanned.ten);
  const observed = await inTurns({ bare: publishing(1), openTelemetry: publishing(1, openTelemetry()) }, 2 * rounds);
  yield figure('publish with OpenTelemetry without an SDK, of bare', 0.98, observed.openTelemetry, observed.bare);
}
