import type { PartnerkitOptions } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { openTelemetry } from '@partnerkit/opentelemetry';
import { atLeast, compared, inTurns, type Line, type Side } from './measure.ts';
import { memoryHost } from './memory-host.ts';
import { expectCount, metered, rateOf } from './meter.ts';
import { eventAt } from './postgres/load.ts';
import type { Sized } from './sizes.ts';

const warm = 500;
const account = 'acc_0';

/** A host of one account with this many endpoints and no events. */
const hostWith = async (endpoints: number, options: Partial<PartnerkitOptions<never, never>> = {}) => {
  const sender = memorySender();
  const host = memoryHost(sender, { ...options, webhooks: { maxEndpoints: endpoints } });
  for (let place = 0; place < endpoints; place++)
    await host.createEndpoint(account, `https://partner.example/${place}`);
  let published = 0;
  const publish = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left--)
      await host.kit.events.publish({ ...eventAt(published++), accountId: account, type: 'payed' }, { tx: 'new' });
  };
  return { publish, deliver: host.deliver, waiting: host.waiting, sent: () => sender.posts.length };
};

const publishing =
  (count: number, endpoints: number, options: Partial<PartnerkitOptions<never, never>> = {}): Side =>
  async () => {
    const { publish, waiting } = await hostWith(endpoints, options);
    await publish(warm);
    const sample = await metered(() => rateOf(count, () => publish(count)));
    expectCount('Published events', await waiting(), warm + count);
    return sample;
  };

const fanningOut =
  (count: number, endpoints: number): Side =>
  async () => {
    const { publish, deliver, sent } = await hostWith(endpoints);
    // The first delivery of an endpoint creates objects that later ones share.
    await publish(1);
    await deliver();
    await publish(count / endpoints);
    const sample = await metered(() => rateOf(count, deliver));
    expectCount('Deliveries', sent(), endpoints + count);
    return sample;
  };

/** Publish and fan-out in memory: the cost of an additional endpoint, and of an unused observer. */
export async function* publish(sized: Sized): AsyncGenerator<Line> {
  const events = sized(4_000, 20);
  const deliveries = sized(50_000, 1_000);
  const rounds = sized(9, 1);
  const published = await inTurns(
    { one: publishing(events, 1), ten: publishing(events, 10), thousand: publishing(events, 1_000) },
    rounds,
  );
  yield compared('publish with 10 endpoints', published.ten, '1 endpoint', published.one, atLeast(0.9));
  yield compared('publish with 1,000 endpoints', published.thousand, '1 endpoint', published.one, atLeast(0.9));
  const fanned = await inTurns(
    { one: fanningOut(deliveries, 1), ten: fanningOut(deliveries, 10), thousand: fanningOut(deliveries, 1_000) },
    rounds,
  );
  yield compared('a delivery made for 10 endpoints', fanned.ten, '1 endpoint', fanned.one, atLeast(0.9));
  yield compared('a delivery made for 1,000 endpoints', fanned.thousand, '10 endpoints', fanned.ten, atLeast(0.8));
  const { traced, untraced } = await inTurns(
    { untraced: publishing(events, 1), traced: publishing(events, 1, { observe: openTelemetry() }) },
    2 * rounds,
  );
  yield compared('publish with OpenTelemetry without an SDK', traced, 'without OpenTelemetry', untraced, atLeast(0.98));
}
