// The page of the event catalogue, generated from the code: the table of pairs, the retry schedule, the breaker.

import { day, hour, minute, second } from '../../packages/core/src/base/runtime/time.ts';
import { specifiedCatalogue as catalogue } from '../../packages/core/src/webhooks/catalogue/specified-catalogue.ts';
import {
  breakerPauses,
  disableAfter,
  failuresToOpen,
} from '../../packages/core/src/webhooks/delivery-rules/breaker.ts';
import { maxAttempts, retrySchedule } from '../../packages/core/src/webhooks/delivery-rules/retry-policy.ts';

/** In the order of the columns. */
const objects = {
  RequestPayment: 'payment request',
  RequestSecurityDeposit: 'deposit request',
  ModelRequestPayment: 'payment template',
  ModelRequestSecurityDeposit: 'deposit template',
};

/** Texts of specification §6.2 to §6.4. */
const meanings = {
  'All objects': {
    creation: 'the object was created',
    update: 'the object was updated',
    deletion: 'the template was deleted',
  },
  Requests: {
    payed: 'the payment succeeded',
    cancel: 'the request was cancelled',
    finish: 'the request finished',
    global_error: 'the request has a global error',
    litigation: 'the request moved to dispute after a claim on a cash-out',
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
    cashout_cancel: 'the cash-out request was cancelled',
    cashout_failed: 'the cash-out failed while the amount was escrowed',
    cashout_reclamation: 'the recipient claims against the cash-out',
    cashout_new_offer: 'the partner made a new offer',
    cashout_recipient_accept: 'the recipient accepted the cash-out',
    cashout_owner_deny_reclamation: 'the partner rejected the claim of the recipient',
    cashout_done: 'the cash-out is completed',
  },
};

const { entries, eventTypes, objectNames } = catalogue;

const row = (...cells) => `| ${cells.join(' | ')} |`;
const table = (columns, rows) =>
  [row(...columns), row(...columns.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
const code = (text) => `\`${text}\``;

const explained = Object.values(meanings).flatMap(Object.keys);
const unexplained = eventTypes.filter((type) => !explained.includes(type));
const unknown = explained.filter((type) => !eventTypes.includes(type));
if (unexplained.length + unknown.length > 0)
  throw new Error(`Not in one of both: ${[...unexplained, ...unknown].join(', ')}.`);

const tick = (objectName, type) => (catalogue.has(objectName, type) ? '✓' : '');
const names = Object.keys(objects);

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

const attempts = Array.from({ length: maxAttempts }, (_, index) => {
  const before = retrySchedule.slice(0, index).reduce((sum, wait) => sum + wait, 0);
  return [String(index + 1), index === 0 ? 'at once' : long(retrySchedule[index - 1]), long(before)];
});

/** The page as committed. */
export const cataloguePage = () => `# Event catalogue

Every object and event type that partnerkit publishes, with the retry schedule. For developers of platforms and of
receivers.

There are ${objectNames.length} objects, ${eventTypes.length} event types and ${entries.length} pairs. A pair without a tick does not compile, and is refused at run time.
\`pnpm run docs:catalogue\` writes this page from the tables of the code, and a test compares them.

${table(
  ['objectName', 'object'],
  names.map((name) => [code(name), objects[name]]),
)}

${Object.entries(meanings)
  .map(([heading, types]) => {
    const some = names.filter((name) => Object.keys(types).some((type) => catalogue.has(name, type)));
    const rows = Object.entries(types).map(([type, meaning]) => [
      code(type),
      meaning,
      ...some.map((name) => tick(name, type)),
    ]);
    return `## ${heading}\n\n${table(['type', 'meaning', ...some.map((name) => objects[name])], rows)}\n`;
  })
  .join('\n')}
## Subscriptions

An endpoint selects events in \`events\`. A type, such as \`'creation'\`, selects every object that has it. A pair, such as
\`'RequestSecurityDeposit.creation'\`, selects one object. Both may be combined.

The platform chooses the fields of each type: [Objects](../guides/objects.md). Types may be added. A receiver confirms a
type that it does not know.

## Retries

Any 2xx within 15 seconds confirms a delivery. Otherwise:

${table(['attempt', 'delay', 'since the first attempt, at the earliest'], attempts)}

Jitter adds up to 10 percent; no attempt is made earlier. After attempt ${maxAttempts} the delivery is \`exhausted\`, and can be
[sent again](../operations/operating.md#send-a-delivery-again).

## Failing endpoints

| condition | effect |
| --- | --- |
| ${failuresToOpen} attempts in a row fail | the endpoint is paused for ${long(breakerPauses[0])} |
| the probe after a pause fails | the endpoint is paused for ${breakerPauses.slice(1).map(long).join(', then ')}, then ${long(breakerPauses.at(-1))} again |
| an attempt succeeds | all waiting deliveries continue |
| ${disableAfter.failing / day} days of failures, at least ${disableAfter.failures} failed attempts and one exhausted delivery | the endpoint is disabled, and its unfinished deliveries are held |

Details: [Delivery](../concepts/delivery.md#failing-endpoints).
`;
