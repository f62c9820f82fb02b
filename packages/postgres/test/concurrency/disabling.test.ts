import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { untilWaiting } from '../support/host-transactions.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));

describe.each(['disable', 'delete'] as const)(
  'a worker that disables an endpoint, and a partner who asks to %s it',
  (change) => {
    test.each(['worker', 'partner'] as const)('both succeed when the %s comes first', async (first) => {
      await database.reset({ storeAhead: 0 });
      const pool = database.pool();
      const kit = openKit(postgresStorage(pool), {
        sender: memorySender(() => ({ kind: 'answered', status: 410, body: '', durationMs: 1 })),
      });
      const endpointId = await addEndpoint(kit, 'ours', 'ours');
      await kit.events.publish(payed('ours', 'p1'), { tx: 'new' });

      const reader = await pool.connect();
      await reader.query('begin; select from partnerkit.endpoint_versions for share');
      const acts = {
        worker: () => kit.worker().drain(),
        partner: async () => (await kit.endpoints[change]('ours', endpointId)).isOk(),
      };
      const second = first === 'worker' ? 'partner' : 'worker';
      const firstDone = acts[first]();
      await untilWaiting(pool, 1);
      const secondDone = acts[second]();
      await untilWaiting(pool, 2);
      await reader.query('commit');
      reader.release();

      const done = await Promise.all([firstDone, secondDone]);
      expect(
        Object.fromEntries([
          [first, done[0]],
          [second, done[1]],
        ]),
      ).toEqual({ worker: 1, partner: true });
      const found = await kit.endpoints.find('ours', endpointId);
      expect(found.isOk() ? found.value.state : found.error.code).toBe(change === 'disable' ? 'disabled' : 'not_found');
      expect(await brokenLaws(pool)).toEqual([]);
    });
  },
);
