// A process of a host on PGlite.
import { PGlite } from '@electric-sql/pglite';
import { type PaymentTask, readTask, runPaymentHost } from '../../../workshop/src/processes/index.ts';
import { fromPglite } from '../../src/drivers/pglite.ts';
import { migrate, postgresStorage } from '../../src/index.ts';

const task = readTask<PaymentTask>();
const db = await PGlite.create(task.at);
await migrate(fromPglite(db));
await db.exec('create table if not exists payments (id text primary key)');
// The lease of the killed worker has expired.
if (task.isLast) await db.exec("update partnerkit.workers set expires_at = now() - interval '1 minute'");

await runPaymentHost(task, {
  storage: postgresStorage(fromPglite(db)),
  pay: (id, publish, isRolledBack) =>
    db.transaction(async (tx) => {
      await tx.query('insert into payments values ($1)', [id]);
      await publish(tx);
      if (isRolledBack) await tx.rollback();
    }),
  payments: async () => (await db.query<{ id: string }>('select id from payments')).rows.map(({ id }) => id),
});
