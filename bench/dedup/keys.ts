import { dedupKey } from '@partnerkit/core/wire';

let made = 0;

/** Unique deduplication keys, in the form of those of events. */
export const newKeys = (count: number): readonly string[] =>
  Array.from({ length: count }, () =>
    dedupKey({ timestamp: 1_795_000_000, objectName: 'RequestPayment', type: 'payed', data: { id: `pay_${++made}` } }),
  );

/** Number of webhooks in progress at once. */
export const inFlight = 64;

/** Does the work for each item, with `inFlight` at once. */
export const each = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
};
