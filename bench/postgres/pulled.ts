import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { fastifyRoutes } from '@partnerkit/fastify';
import { postgresStorage } from '@partnerkit/postgres';
import { fastify } from 'fastify';
import pg from 'pg';
import { serve } from '../children.ts';
import type { EngineInput } from './engines/engine.ts';
import { createLoad, payment, template, types } from './load.ts';

/** The program of a partner that waits for events. */
export interface PulledProgram {
  /** Without the origin. */
  readonly path: string;
  readonly token: string;
}

/** A host that serves pull endpoints, in a process without a worker. */
export interface PulledHandlers {
  /** Creates a pull endpoint for each account, and keys for its programs; resolves to the programs. */
  programs(keys: number): Promise<{ readonly origin: string; readonly programs: readonly PulledProgram[] }>;
  /** Resident memory after a collection, in bytes. */
  memory(): Promise<number>;
  /** Connections of this process to the database. */
  connections(): Promise<number>;
}

if (process.send)
  serve<PulledHandlers>(async ({ database }: EngineInput) => {
    const { accounts } = createLoad();
    const pool = new pg.Pool({ connectionString: database, max: 10, idleTimeoutMillis: 500 });
    const kit = createPartnerkit({
      accounts: memoryAccounts(accounts.map((id) => ({ id, name: id, status: 'active', environment: 'prod' }))),
      storage: postgresStorage(pool),
      tokens: memoryAccessTokens(),
      sender: memorySender(),
      advanced: { sealingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }] },
      objects: [payment, template],
      onError: (cause) => console.error(cause),
    });
    let server = createServer();
    const app = fastify({
      serverFactory: (handle) => {
        server = createServer(handle);
        return server;
      },
    });
    await app.register(fastifyRoutes, { routes: [...kit.routes, kit.pullRoute()] });
    await app.ready();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const logIn = async (accountId: string): Promise<string> => {
      const { client, secret } = (await kit.clients.create(accountId, { name: 'Benchmark' }))._unsafeUnwrap();
      const response = await fetch(`${origin}/api/v1/partner/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ client_id: client.id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' },
        }),
      });
      return ((await response.json()) as { readonly access_token: string }).access_token;
    };
    return {
      programs: async (keys) => {
        const programs: PulledProgram[] = [];
        for (const accountId of accounts) {
          const made = (await kit.endpoints.create(accountId, { kind: 'pull', events: types }))._unsafeUnwrap();
          const path = `/api/v1/partner/organisations/${accountId}/webhooks/${made.endpoint.id}/events`;
          for (let key = 0; key < keys; key++) programs.push({ path, token: await logIn(accountId) });
        }
        return { origin, programs };
      },
      memory: async () => {
        globalThis.gc?.();
        return process.memoryUsage().rss;
      },
      connections: async () => pool.totalCount,
    };
  });
