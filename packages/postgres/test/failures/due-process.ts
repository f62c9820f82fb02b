// A process of a host whose worker gives due commands until it is killed. Its hook writes one row of a ledger in the
// transaction of each command.
import { createPartnerkit, day } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { createRequests, requestObjects } from '@partnerkit/core/requests';
import pg from 'pg';
import { readTask } from '../../../workshop/src/processes/index.ts';
import { postgresStorage } from '../../src/index.ts';
import { type HostTask, sayStopped } from './host-task.ts';

const { database, nth } = readTask<HostTask>();
const pool = new pg.Pool({ connectionString: database, max: 12 });

/** So many commands are carried out before one stops in the middle, with its transaction open. */
let left = 5 + nth;

const kit = createPartnerkit({
  accounts: memoryAccounts([{ id: 'acc_ours', environment: 'prod', name: 'Ours', status: 'active' }]),
  storage: postgresStorage(pool),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
  objects: requestObjects,
});
createRequests({
  kit,
  guarantee: { warnBefore: day, atEnd: 'fail' },
  onCommandTimeout: 3_600_000,
  onCommand: async ({ command, after, tx }) => {
    await tx.query({ text: 'insert into ledger (id, command) values ($1, $2)', values: [after.id, command] });
    if (left-- > 0) return;
    sayStopped();
    await new Promise(() => {});
  },
});
kit.worker().start();
