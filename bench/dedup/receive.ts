import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { memorySeenKeys } from '@partnerkit/core/memory';
import { createReceiver } from '@partnerkit/receiver';
import { atLeast, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered, rateOf } from '../meter.ts';
import type { Sized } from '../sizes.ts';

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const key = createSecretKey(Buffer.from(secret));
const size = 1_024;

let made = 0;
const newDelivery = () => {
  const frame = (note: string): string =>
    `{"timestamp":1795000000,"data":{"id":"pay_${made}","note":"${note}"},"objectName":"RequestPayment","type":"payed"}`;
  made++;
  const body = Buffer.from(frame('x'.repeat(size - frame('').length)));
  return { body, signature: createHmac('sha1', key).update(body).digest('hex') };
};
type Delivery = ReturnType<typeof newDelivery>;

const bare = async (deliveries: readonly Delivery[]): Promise<void> => {
  for (const { body, signature } of deliveries) {
    const computed = createHmac('sha1', key).update(body).digest('hex');
    if (!timingSafeEqual(Buffer.from(computed), Buffer.from(signature))) throw new Error('refused');
    if (JSON.parse(body.toString('utf8')).type !== 'payed') throw new Error('mixed up');
  }
};

/** A receiver of new events, one after the other. */
export async function* receive(sized: Sized): AsyncGenerator<Line> {
  const count = sized(10_000, 50);
  const rounds = sized(15, 1);
  let processed = 0;
  const payed = (): void => {
    processed++;
  };
  const { handle } = createReceiver({ secrets: [secret], seen: memorySeenKeys(), on: { RequestPayment: { payed } } });
  const received = async (deliveries: readonly Delivery[]): Promise<void> => {
    for (const { body, signature } of deliveries) {
      const headers = { 'content-type': 'application/json', 'x-webhook-signature': signature };
      const { status } = await handle({ method: 'POST', target: '/webhooks', headers, body });
      if (status !== 204) throw new Error(`answered ${status}`);
    }
  };
  const side =
    (take: (deliveries: readonly Delivery[]) => Promise<void>): Side =>
    () => {
      const deliveries = Array.from({ length: count }, newDelivery);
      return metered(() => rateOf(count, () => take(deliveries)));
    };
  const rates = await inTurns({ bare: side(bare), partnerkit: side(received) }, rounds);
  expectCount('Processed webhooks', processed, (rounds + 1) * count);
  yield compared('receive 1 KB', rates.partnerkit, 'bare verify and parse', rates.bare, atLeast(0.7));
}
