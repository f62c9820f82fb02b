import { fileURLToPath } from 'node:url';
import { hour } from '@partnerkit/core';
import { describe, expect, test } from 'vitest';
import { killHost } from '../../workshop/src/processes/index.ts';
import { hasServer, useDatabase } from './support/database.ts';

const command = fileURLToPath(new URL('support/host.ts', import.meta.url));

describe.skipIf(!hasServer)('a host that is killed', () => {
  const database = useDatabase();

  test('between publish and delivery delivers everything after its restart', async () => {
    const { url, pool, elapse } = database.get();
    await pool.query('create table payments (id varchar(40) primary key)');
    // An hour later, the lease of the killed worker has expired.
    const beforeLast = () => elapse(hour);
    const { acknowledged, ...broken } = await killHost({ command, task: { at: url }, kills: 10, beforeLast });
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(broken).toEqual({ lost: [], undelivered: [], unpaid: [], unexpected: [] });
  });
});
