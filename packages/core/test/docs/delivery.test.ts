import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { day, hour, minute, second } from '../../src/base/runtime/time.ts';
import { breakerPauses, disableAfter, failuresToOpen } from '../../src/webhooks/delivery-rules/breaker.ts';
import { maxAttempts, retrySchedule } from '../../src/webhooks/delivery-rules/retry-policy.ts';
import { defaultRetention } from '../../src/webhooks/worker/context/retention.ts';

const page = readFileSync(new URL('../../../../docs/concepts/delivery.md', import.meta.url), 'utf8');

const short = (time: number): string => {
  if (time >= hour) return `${time / hour} h`;
  return time >= minute ? `${time / minute} min` : `${time / second} s`;
};

/** The numbers of the page are those of the code. */
const sentences: readonly string[] = [
  `| delay | ${retrySchedule.map(short).join(' | ')} |`,
  `a delivery has ${maxAttempts} attempts.`,
  `| \`exhausted\` | attempt ${maxAttempts} failed,`,
  `| ${failuresToOpen} attempts in a row fail | the breaker opens: no attempts for ${(breakerPauses[0] ?? 0) / minute} minute |`,
  `pauses of ${(breakerPauses[1] ?? 0) / minute}, ${(breakerPauses[2] ?? 0) / minute}, ${(breakerPauses.at(-1) ?? 0) / minute}, … minutes follow |`,
  `An endpoint is disabled after ${disableAfter.failing / day} days of failures, at least ${disableAfter.failures} failed attempts and one exhausted delivery,`,
  `| ${disableAfter.failing / day} days of failures, at least ${disableAfter.failures} failed attempts, one exhausted delivery |`,
  `A delivery expires after ${defaultRetention.held / day} days in \`held\`.`,
  `| held deliveries | ${defaultRetention.held / day} days |`,
  `| events with their deliveries and attempts | ${defaultRetention.events / day} days |`,
];

test.each(sentences)('docs/concepts/delivery.md says: %s', (sentence) => {
  expect(page).toContain(sentence);
});
