import { memorySender } from '@partnerkit/core/memory';
import { expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { untilWaiting } from '../support/host-transactions.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const minute = 60_000;

test.each(['disable', 'delete'] as const)(
  'a claim that brings deliveries into line and a %s of their endpoint neither fail nor leave any in line',
  async (change) => {
    await database.reset({ storeAhead: 0 });
    const kit = openKit(postgresStorage(database.pool()), {
      sender: memorySender(() => ({ kind: 'failed', reason: 'reset', took: 1 })),
    });
    const worker = kit.worker();
    const endpointId = await addEndpoint(kit, 'ours', 'ours');
    await kit.events.publish(payed('ours', 'p1'), { tx: 'new' });
    await worker.drain();
    await database.elapse(minute);

    const reader = await database.pool().connect();
    await reader.query('begin; select from partnerkit.endpoints for share');
    const changed = kit.endpoints[change]('ours', endpointId).match(
      () => 'changed',
      ({ code }) => code,
    );
    await untilWaiting(database.pool(), 1);
    const drained = worker.drain();
    await untilWaiting(database.pool(), 2);
    await reader.query('commit');
    reader.release();

    expect(await changed).toBe('changed');
    expect(await drained).toBe(0);
    expect(await brokenLaws(database.pool())).toEqual([]);
  },
);
