import type { ShardStore } from '@partnerkit/core/ports';
import { acquire } from './acquire.ts';
import type { Database } from './database.ts';
import { heartbeat } from './heartbeat.ts';
import { join } from './join.ts';
import { leave } from './leave.ts';
import { release } from './release.ts';
import { watch } from './watch.ts';

/** Ownership of shards. @internal */
export const shardStore = <Tx extends object>(database: Database<Tx>): ShardStore => ({
  join: join(database),
  heartbeat: heartbeat(database),
  acquire: acquire(database),
  release: release(database),
  leave: leave(database),
  watch: watch(database),
});
