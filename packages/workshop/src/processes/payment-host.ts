import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Task } from '../../../conformance/src/prove/processes/children.ts';
import { accountIds, openKit } from '../../../conformance/src/prove/processes/platform.ts';
import { say } from '../../../conformance/src/prove/processes/task.ts';
import { memorySender } from '../../../core/src/memory.ts';

/** What a process of a host is given. */
export interface PaymentTask extends Task {
  /** Where its database is. */
  readonly at: string;
  /** A file: what its partner received. */
  readonly received: string;
  /** Whether it publishes nothing, and delivers what those that were killed left. */
  readonly isLast: boolean;
}

/** A host with a table of payments beside the tables of its storage. */
export interface PaymentHost<Tx extends object> {
  readonly storage: Parameters<typeof openKit<Tx>>[0];
  /** Inserts a payment and publishes its event in one transaction, which it commits or rolls back. */
  readonly pay: (id: string, publish: (tx: Tx) => Promise<unknown>, isRolledBack: boolean) => Promise<void>;
  /** The ids of all payments. */
  readonly payments: () => Promise<readonly string[]>;
}

const [accountId = ''] = accountIds;

/**
 * Runs a host in a process of its own: it says the id of each payment that it committed, until it is killed. The last
 * one says the ids of all payments once it has delivered everything.
 */
export const runPaymentHost = async <Tx extends object>(
  { received, isLast }: PaymentTask,
  { storage, pay, payments }: PaymentHost<Tx>,
): Promise<void> => {
  // Durable before it is confirmed, as a receiver on another machine is.
  const sender = memorySender(({ body }) => {
    appendFileSync(received, `${(JSON.parse(body) as { data: { id: string } }).data.id}\n`);
    return { kind: 'answered', status: 200, body: '', durationMs: 1 };
  });
  const kit = openKit(storage, sender);
  if (isLast) {
    await kit.worker().drain();
    say(await payments());
    return;
  }
  const { items } = (await kit.endpoints.list(accountId, {}))._unsafeUnwrap();
  if (items.length === 0)
    (await kit.endpoints.create(accountId, { url: 'https://partner.example/', events: ['payed'] }))._unsafeUnwrap();
  kit.worker().start();
  for (let n = 0; ; n++) {
    const id = randomUUID();
    const event = { accountId, objectName: 'RequestPayment', type: 'payed', data: { id, n } } as const;
    const isRolledBack = n % 5 === 4;
    await pay(id, (tx) => kit.events.publish(event, { tx }), isRolledBack);
    if (!isRolledBack) say(id);
    // Libraries that block leave the worker no other time.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};
