import { randomBytes } from 'node:crypto';
import { createPartnerkit } from '@partnerkit/core';
import type { NewEvent } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import type pg from 'pg';
import { eventAt, payment } from './load.ts';

/** An outbox by hand: one row with the body, its place in the queue, and its id. */
const bare = `
  create table bare (
    like partnerkit.events including defaults,
    shard smallint not null,
    position bigint generated always as identity,
    primary key (shard, account_id, position)
  );
  create unique index bare_id on bare (account_id, id)`;

/** A host that publishes, with a table `bare`. */
export const startPublisher = async (pool: pg.Pool) => {
  await migrate(pool);
  await pool.query(bare);
  const storage = postgresStorage(pool);
  const kit = createPartnerkit({
    accounts: memoryAccounts([]),
    storage,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: randomBytes(32) }] },
    objects: [payment],
  });
  return { storage, kit };
};

/** An event as storage receives it. */
export const newEventAt = (place: number): NewEvent => {
  const { accountId, objectName, type, data } = eventAt(place);
  return {
    id: newId(),
    accountId,
    objectName,
    objectId: data.id,
    type,
    bodyTail: `,"data":${JSON.stringify(data)},"objectName":"${objectName}","type":"${type}"}`,
  };
};

/** Ids that start with their time, like those of the kit. */
const newId = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
};
