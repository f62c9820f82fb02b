import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breakerPauses, disablesAfter, failuresToOpen } from '../../src/deliveries/health.ts';
import { defaultRetention } from '../../src/deliveries/pruner.ts';
import { mostAttempts, retrySchedule } from '../../src/deliveries/retry-schedule.ts';
import { day, hour, minute, second } from '../../src/runtime/time.ts';

const page = readFileSync(new URL('../../../../docs/delivery.md', import.meta.url), 'utf8');

const short = (time: number): string => {
  if (time >= hour) return `${time / hour} h`;
  return time >= minute ? `${time / minute} min` : `${time / second} s`;
};

/** The numbers of the page are those of the code. */
const sentences: readonly string[] = [
  `| the next one comes in | ${retrySchedule.map(short).join(' | ')} |`,
  `After ${mostAttempts} attempts the delivery is \`exhausted\`.`,
  `| ${failuresToOpen} attempts in a row fail | the breaker opens: nothing is sent to the endpoint for ${(breakerPauses[0] ?? 0) / minute} minute |`,
  `nothing is sent for ${(breakerPauses[1] ?? 0) / minute} minutes, then ${(breakerPauses[2] ?? 0) / minute}, and ${(breakerPauses.at(-1) ?? 0) / minute} again |`,
  `| ${disablesAfter.failing / day} days of failures, at least ${disablesAfter.failures} failed attempts and one exhausted delivery |`,
  `| a delivery was held for ${defaultRetention.held / day} days | it expires |`,
  `| held deliveries | ${defaultRetention.held / day} days |`,
  `| events | ${defaultRetention.events / day} days |`,
  `| attempts | ${defaultRetention.attempts / day} days |`,
  `| deliveries | ${defaultRetention.attempts / day} days |`,
];

test.each(sentences)('docs/delivery.md says: %s', (sentence) => {
  expect(page).toContain(sentence);
});
