import type { FailedHour } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, type Double } from '../support/doubles.ts';

type Breaks = Double<StorageFixture>['breaks'];
const broken = breakPort('log');

const counted = 'failed deliveries are counted by endpoint, state and hour, once the hour has ended';
const once = 'an attempt that is settled twice fails its delivery once';
const held = 'deliveries that were held too long are counted; those of a deleted endpoint are not';
const paged = 'failed deliveries of an hour are read page by page, and deleted by their hour';

const misread = (how: string, breaks: Breaks, change: (found: readonly FailedHour[]) => readonly FailedHour[]) =>
  broken(how, breaks, ({ readFailedHours }) => ({
    readFailedHours: async (age, page) => change(await readFailedHours(age, page)),
  }));

/** Logs that count failed deliveries wrongly. */
export const brokenFailedHours: readonly Double<StorageFixture>[] = [
  misread('expired deliveries are not counted', [counted, held, paged], (found) =>
    found.filter(({ state }) => state === 'exhausted'),
  ),
  misread('a number is one too many', [counted, once, held], (found) =>
    found.map((each) => ({ ...each, deliveries: each.deliveries + 1 })),
  ),
  broken('an hour is read before it has ended', [counted], ({ readFailedHours }) => ({
    readFailedHours: (_age, page) => readFailedHours(-3_600_000, page),
  })),
  broken('a page begins at the first hour', [paged], ({ readFailedHours }) => {
    let left = 50;
    return {
      readFailedHours: async (age, { limit }) => (left-- > 0 ? readFailedHours(age, { limit }) : []),
    };
  }),
  broken('only the first hour is deleted', [paged], ({ deleteFailedHours }) => ({
    deleteFailedHours: (hours) => deleteFailedHours(hours.slice(0, 1)),
  })),
];
