// A host that publishes and delivers until it is killed: one payment and one event in each transaction of its own.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPartnerkit, defineObject, hour } from '@partnerkit/core';
import type { Clock } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { z } from 'zod';
import { sqliteStorage } from '../../src/index.ts';
import type { Connect } from './files.ts';
import { type LibraryName, loadLibrary } from './libraries.ts';

const [file = '', received = '', library = 'node:sqlite', mode = 'publish'] = process.argv.slice(2);
const host =
  library === 'node:sqlite'
    ? new DatabaseSync(file)
    : ((loadLibrary(library as LibraryName) as Connect)(file) as DatabaseSync);
host.exec('pragma busy_timeout = 5000; create table if not exists payments (id text primary key) strict');

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string() }),
  groups: { all: [] },
  events: { default: ['all'] },
});

// After a restart an hour later, the lease of the killed worker has expired.
const ahead = mode === 'publish' ? 0 : hour;
const clock: Clock = {
  now: () => Date.now() + ahead,
  sleep: (time) => new Promise((resolve) => setTimeout(resolve, time)),
};

const kit = createPartnerkit({
  objects: [payment],
  accounts: memoryAccounts([{ id: 'acc', name: 'Account', status: 'active', environment: 'prod' }]),
  storage: sqliteStorage(host, { clock }),
  tokens: memoryAccessTokens(),
  // Durable before it is confirmed, as a receiver on another machine is.
  sender: memorySender(({ body }) => {
    appendFileSync(received, `${(JSON.parse(body) as { data: { id: string } }).data.id}\n`);
    return { kind: 'answered', status: 200, body: '', durationMs: 1 };
  }),
  advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] },
});

if (mode === 'publish') {
  const { items } = (await kit.endpoints.list('acc', {})).unwrapOr({ items: [] });
  if (items.length === 0)
    (await kit.endpoints.create('acc', { url: 'https://partner.example/hooks', events: ['payed'] }))._unsafeUnwrap();
  const worker = kit.worker();
  worker.start();
  for (let nth = 0; ; nth++) {
    const id = randomUUID();
    host.exec('begin immediate');
    host.prepare('insert into payments values (?)').run(id);
    await kit.events.publish(
      { accountId: 'acc', objectName: 'RequestPayment', type: 'payed', data: { id } },
      { tx: host },
    );
    if (nth % 5 === 4) host.exec('rollback');
    else {
      host.exec('commit');
      process.stdout.write(`${id}\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
await kit.worker().drain();
process.exit(0);
