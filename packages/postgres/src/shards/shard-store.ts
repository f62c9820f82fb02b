import type { ShardStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { acquire } from './acquire.ts';
import { heartbeat } from './heartbeat.ts';
import { join } from './join.ts';
import { leave } from './leave.ts';
import { release } from './release.ts';

const findAlive = statement`select 1 as alive from ${t.workers} where expires_at > now() limit 1`;

/** Ownership of shards. */
export const shardStore = <Tx extends object>(database: Database<Tx>, watch: ShardStore['watch']): ShardStore => ({
  join: join(database),
  heartbeat: heartbeat(database),
  acquire: acquire(database),
  release: release(database),
  leave: leave(database),
  hasWorkers: async () => (await database.run(findAlive)).length > 0,
  watch,
});
