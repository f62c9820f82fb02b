// A host on PGlite that publishes and delivers until it is killed: one payment and one event in each transaction.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { z } from 'zod';
import { fromPglite } from '../../src/drivers/pglite.ts';
import { migrate, postgresStorage } from '../../src/index.ts';

const [folder = '', received = '', mode = 'publish'] = process.argv.slice(2);
const db = await PGlite.create(folder);
await migrate(fromPglite(db));
await db.exec('create table if not exists payments (id text primary key)');

const kit = createPartnerkit({
  objects: [
    defineObject('RequestPayment', {
      schema: z.object({ id: z.string() }),
      groups: { all: [] },
      events: { default: ['all'] },
    }),
  ],
  accounts: memoryAccounts([{ id: 'acc', name: 'Account', status: 'active', environment: 'prod' }]),
  storage: postgresStorage(fromPglite(db)),
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
  kit.worker().start();
  for (;;) {
    const id = randomUUID();
    await db.transaction(async (tx) => {
      await tx.query('insert into payments values ($1)', [id]);
      await kit.events.publish({ accountId: 'acc', objectName: 'RequestPayment', type: 'payed', data: { id } }, { tx });
    });
    process.stdout.write(`${id}\n`);
  }
}
// The lease of the killed worker has expired.
await db.exec("update partnerkit.workers set expires_at = now() - interval '1 minute'");
await kit.worker().drain();
const { rows } = await db.query<{ id: string }>('select id from payments');
process.stdout.write(rows.map(({ id }) => `${id}\n`).join(''));
await db.close();
process.exit(0);
