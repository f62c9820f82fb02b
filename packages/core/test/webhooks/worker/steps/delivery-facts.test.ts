import { expect, test } from 'vitest';
import { hour } from '../../../../src/base/runtime/time.ts';
import type { FailedHour, FailedHourKey } from '../../../../src/webhooks/log/delivery-log.ts';
import { createDeliveryFacts } from '../../../../src/webhooks/worker/steps/delivery-facts.ts';
import { testAuditor } from '../../../support/worker.ts';

const failed = (accountId: string, nth: number): FailedHour => ({
  ...{ accountId, endpointId: `endpoint_${nth}`, hour: 10 * hour, state: 'exhausted', deliveries: 1 },
});

const world = (stored: readonly FailedHour[]) => {
  const deleted: FailedHourKey[] = [];
  const facts = createDeliveryFacts({
    log: {
      readFailedHours: async (_age, { limit, after }) => {
        const from = after ? stored.findIndex(({ endpointId }) => endpointId === after.endpointId) + 1 : 0;
        return stored.slice(from, from + limit);
      },
      deleteFailedHours: async (hours) => {
        deleted.push(...hours);
      },
    },
    auditor: testAuditor(),
  });
  return { facts, deleted };
};

test('hours of accounts of other workers are neither told nor deleted', async () => {
  const { facts, deleted } = world([failed('acc_a', 1), failed('acc_b', 2)]);
  const page = await facts.readFacts((accountId) => accountId === 'acc_a', undefined);
  expect(page.entries.map(({ subjectId }) => subjectId)).toEqual(['endpoint_1']);
  expect(deleted).toEqual([]);
  await page.stored?.();
  expect(deleted).toEqual([failed('acc_a', 1)]);
});

test('all pages are read, also those without an own hour', async () => {
  const { facts } = world([...Array.from({ length: 1_000 }, (_, nth) => failed('acc_b', nth)), failed('acc_a', 1_000)]);
  const told: string[] = [];
  let page = await facts.readFacts((accountId) => accountId === 'acc_a', undefined);
  for (let pages = 1; ; pages++) {
    told.push(...page.entries.map(({ subjectId }) => subjectId));
    if (page.next === undefined || pages > 5) break;
    page = await facts.readFacts((accountId) => accountId === 'acc_a', page.next);
  }
  expect(told).toEqual(['endpoint_1000']);
});
