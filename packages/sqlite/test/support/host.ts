// A process of a host with one connection to a file, which its storage shares.
import { DatabaseSync } from 'node:sqlite';
import { hour } from '@partnerkit/core';
import type { Clock } from '@partnerkit/core/adapter';
import { type PaymentTask, readTask, runPaymentHost } from '../../../workshop/src/processes/index.ts';
import { sqliteStorage } from '../../src/index.ts';
import type { Connect } from './files.ts';
import { type LibraryName, loadLibrary } from './libraries.ts';

export interface HostTask extends PaymentTask {
  readonly library: 'node:sqlite' | LibraryName;
}

const task = readTask<HostTask>();
const { at, library, isLast } = task;
const host = library === 'node:sqlite' ? new DatabaseSync(at) : ((loadLibrary(library) as Connect)(at) as DatabaseSync);
host.exec('pragma busy_timeout = 5000; create table if not exists payments (id text primary key) strict');

// For the last process an hour has passed, and the lease of the killed worker has expired.
const ahead = isLast ? hour : 0;
const clock: Clock = {
  now: () => Date.now() + ahead,
  sleep: (time) => new Promise((resolve) => setTimeout(resolve, time)),
};

await runPaymentHost(task, {
  storage: sqliteStorage(host, { clock }),
  pay: async (id, publish, isRolledBack) => {
    host.exec('begin immediate');
    host.prepare('insert into payments values (?)').run(id);
    await publish(host);
    host.exec(isRolledBack ? 'rollback' : 'commit');
  },
  payments: async () =>
    host
      .prepare('select id from payments')
      .all()
      .map(({ id }) => String(id)),
});
