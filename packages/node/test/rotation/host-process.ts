// A process of a platform whose keys are rotated. It carries out orders, and delivers until it is stopped.
import { defineObject } from '@partnerkit/core';
import { memoryAccounts } from '@partnerkit/core/memory';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import { sqliteStorage } from '@partnerkit/sqlite';
import { inProcess } from '@partnerkit/testing';
import pg from 'pg';
import { z } from 'zod';
import { readTask, say, untilStopped } from '../../../conformance/src/prove/processes/task.ts';
import { createPartnerkit, httpsSender } from '../../src/index.ts';
import { type RotatedKeys, type Rotation, rotations } from './deployments.ts';

/** What a process is started with. */
export interface HostTask {
  readonly role: 'host';
  readonly name: string;
  /** The file of SQLite, or the URL of PostgreSQL. */
  readonly database: string;
  readonly rotation: Rotation;
  /** The number of its deployment, from 0. */
  readonly deployment: number;
  readonly keys: RotatedKeys;
}

/** What a process is asked to do. */
export type Order =
  | { readonly act: 'login'; readonly clientId: string; readonly clientSecret: string }
  | { readonly act: 'read'; readonly token: string }
  | { readonly act: 'publish'; readonly id: string }
  | { readonly act: 'add client' | 'check' | 'reseal' }
  | { readonly act: 'add endpoint'; readonly url: string };

/** A line of a process: the result of an order, or a problem. */
export type Said = { readonly number: number; readonly result: unknown } | { readonly problem: string };

const task = readTask<HostTask, { readonly number: number; readonly order: Order }>(({ number, order }) => {
  void obey(order)
    .catch((cause: unknown) =>
      tell({ problem: `${order.act}: ${cause instanceof Error ? cause : JSON.stringify(cause)}` }),
    )
    .then((result) => tell({ number, result: result ?? null }));
});
const tell: (said: Said) => void = say;

const openStorage = async () => {
  if (!task.database.startsWith('postgres')) {
    const storage = sqliteStorage(task.database, { synchronous: 'normal' });
    return { storage, close: async () => storage.close() };
  }
  const pool = new pg.Pool({ connectionString: task.database, max: 3 });
  await migrate(pool);
  return { storage: postgresStorage(pool), close: () => pool.end() };
};

const accountId = 'account';
const { storage, close } = await openStorage();
const sender = httpsSender({ development: true });
const booking = defineObject('Booking', { schema: z.object({ id: z.string() }), events: { confirmed: ['id'] } });
const kit = createPartnerkit<object, readonly [typeof booking]>({
  accounts: memoryAccounts([{ id: accountId, name: 'Partner', status: 'active', environment: 'prod' }]),
  storage,
  sender,
  objects: [booking],
  ...(rotations[task.rotation](task.keys)[task.deployment] as { readonly secret: string }),
  webhooks: { maxEndpoints: 100 },
  observe: (signal) => {
    if (signal.kind === 'attempt' && signal.outcome !== 204) tell({ problem: JSON.stringify(signal) });
    if (signal.kind === 'worker_error') tell({ problem: JSON.stringify(signal) });
  },
  onError: (cause) => tell({ problem: String(cause) }),
});
const request = inProcess(kit.routes);

const obey = async (order: Order): Promise<unknown> => {
  switch (order.act) {
    case 'login': {
      const { clientId: client_id, clientSecret: client_secret } = order;
      const answer = await request('POST', '/api/v1/partner/login', {
        json: { grant_type: 'client_credentials', scope: 'USER', client_id, client_secret },
      });
      return answer.status === 200 ? JSON.parse(String(answer.body)).access_token : answer;
    }
    case 'read': {
      const { status } = await request('GET', `/api/v1/partner/organisations/${accountId}/me`, order);
      return status;
    }
    case 'publish':
      return kit.events.publish(
        { accountId, objectName: 'Booking', type: 'confirmed', data: { id: order.id } },
        { tx: 'new' },
      );
    case 'add client': {
      const { client, secret } = (await kit.clients.create(accountId, { name: 'Booking system' }))._unsafeUnwrap();
      return { clientId: client.id, clientSecret: secret };
    }
    case 'add endpoint':
      return (await kit.endpoints.create(accountId, { url: order.url, events: ['confirmed'] }))._unsafeUnwrap().secret;
    case 'reseal':
      return (await kit.endpoints.reseal({ limit: 100 }))._unsafeUnwrap();
    case 'check':
      return (await kit.check()).match(
        () => [],
        ({ findings }) => findings,
      );
  }
};

const worker = kit.worker();
worker.start();
tell({ number: 0, result: await obey({ act: 'check' }) });
await untilStopped();
await worker.stop();
await close();
await sender.close();
