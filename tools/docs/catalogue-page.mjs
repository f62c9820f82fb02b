// The page of the event catalogue, made of what the code runs on: the table of pairs, the retry schedule, the breaker.
import { catalogue, eventTypes, objectNames } from '../../packages/core/src/catalogue/catalogue.ts';
import { breakerPauses, disablesAfter, failuresToOpen } from '../../packages/core/src/deliveries/health.ts';
import { mostAttempts, retrySchedule } from '../../packages/core/src/deliveries/retry-schedule.ts';
import { day, hour, minute, second } from '../../packages/core/src/runtime/time.ts';

/** In the order of the columns, as they are headed. */
const objects = {
  RequestPayment: 'payment request',
  RequestSecurityDeposit: 'deposit request',
  ModelRequestPayment: 'payment template',
  ModelRequestSecurityDeposit: 'deposit template',
};

/** Under the headings of specification §6.2 to §6.4, in its words. */
const meanings = {
  'Of every object': {
    creation: 'it was created',
    update: 'it was updated',
    deletion: 'a template was deleted',
  },
  Requests: {
    payed: 'the payment succeeded',
    cancel: 'the request was cancelled',
    finish: 'the request finished',
    global_error: 'a global error on the request',
    litigation: 'the request moved to dispute, after a claim on a cash-out',
  },
  'Transactions and deposit': {
    transaction_failed: 'a transaction failed',
    new_transaction_success: 'a transaction succeeded',
    new_transaction_manual_cancel: 'a transaction was cancelled manually',
    user_register: 'a user entered personal information',
    deposit_success: 'the deposit was made',
  },
  'Condition reports': {
    check_in: 'the entry inspection is done',
    check_out: 'the exit inspection is done',
  },
  'Cash-outs': {
    cashout: 'a cash-out request was created',
    cashout_cancel: 'it was cancelled',
    cashout_failed: 'it failed: an error while the amount was escrowed',
    cashout_reclamation: 'the tenant raised a claim on it',
    cashout_new_offer: 'the requester made a new offer',
    cashout_recipient_accept: 'the tenant accepted it',
    cashout_owner_deny_reclamation: 'the requester refuses to answer the claim',
    cashout_done: 'it is completed',
  },
};

const row = (...cells) => `| ${cells.join(' | ')} |`;
const table = (columns, rows) =>
  [row(...columns), row(...columns.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
const code = (text) => `\`${text}\``;

const explained = Object.values(meanings).flatMap(Object.keys);
const unexplained = eventTypes.filter((type) => !explained.includes(type));
const unknown = explained.filter((type) => !eventTypes.includes(type));
if (unexplained.length + unknown.length > 0)
  throw new Error(`Not in one of both: ${[...unexplained, ...unknown].join(', ')}.`);

const has = (objectName, type) => (catalogue[objectName].includes(type) ? '✓' : '');
const names = Object.keys(objects);
const pairs = Object.values(catalogue).flat().length;

const units = [
  [day, 'd'],
  [hour, 'h'],
  [minute, 'min'],
  [second, 's'],
];
/** `2 d 3 h`: the two largest units, and hours up to two days. */
const long = (time) => {
  let left = time;
  const parts = (time < 2 * day ? units.slice(1) : units).map(([unit, name]) => {
    const count = Math.floor(left / unit);
    left -= count * unit;
    return [count, name];
  });
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.map(([count, name]) => `${count} ${name}`).join(' ') || 'at once';
};

const attempts = Array.from({ length: mostAttempts }, (_, index) => {
  const before = retrySchedule.slice(0, index).reduce((sum, wait) => sum + wait, 0);
  return [String(index + 1), index === 0 ? 'at once' : `${long(retrySchedule[index - 1])} later`, long(before)];
});

/** The page as it is committed. */
export const cataloguePage = () => `# The event catalogue

This page is written by \`pnpm run docs:catalogue\` from the tables that the code runs on, and a test compares them.

${objectNames.length} objects, ${eventTypes.length} event types, ${pairs} pairs. Whatever is not ticked does not compile, and is refused at run time.

${table(
  ['objectName', 'below'],
  names.map((name) => [code(name), objects[name]]),
)}

${Object.entries(meanings)
  .map(([heading, types]) => {
    const some = names.filter((name) => Object.keys(types).some((type) => catalogue[name].includes(type)));
    const rows = Object.entries(types).map(([type, meaning]) => [
      code(type),
      meaning,
      ...some.map((name) => has(name, type)),
    ]);
    return `## ${heading}\n\n${table(['type', 'means', ...some.map((name) => objects[name])], rows)}\n`;
  })
  .join('\n')}
An endpoint selects what it receives in \`events\`: a type, such as \`'creation'\`, of every object that has it; or one
pair, such as \`'RequestSecurityDeposit.creation'\`. Both may stand side by side. Which fields come with a type is the
platform's choice: see [Objects](objects.md). Types may be added; a receiver that does not know one confirms it.

## Retries

Any 2xx within 15 seconds confirms. Else:

${table(['attempt', 'comes', 'since the first, at the earliest'], attempts)}

Jitter adds up to a tenth, nothing makes it earlier. After attempt ${mostAttempts} the delivery is \`exhausted\`, and can be
[sent again](operating.md#send-a-delivery-again).

## Failing endpoints

| condition | effect |
| --- | --- |
| ${failuresToOpen} attempts in a row fail | nothing is sent to the endpoint for ${long(breakerPauses[0])} |
| one delivery is sent as a probe, and fails | nothing is sent for ${breakerPauses.slice(1).map(long).join(', then ')}, and ${long(breakerPauses.at(-1))} again |
| an attempt succeeds | all waiting deliveries continue |
| ${disablesAfter.failing / day} days of failures, at least ${disablesAfter.failures} failed attempts and one exhausted delivery | the endpoint is disabled, and what waits is held |

More in [Delivery](delivery.md#failing-endpoints).
`;
