import { dedupKey } from '@partnerkit/core';

let made = 0;

/** Deduplication keys as events have them, each once. */
export const newKeys = (count: number): readonly string[] =>
  Array.from({ length: count }, () =>
    dedupKey({ timestamp: 1_795_000_000, objectName: 'RequestPayment', type: 'payed', data: { id: `pay_${++made}` } }),
  );

/** How many webhooks are processed at once. */
export const inFlight = 64;

/** Does the work for each, so many at once. */
export const each = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
};
