import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as after } from 'node:timers/promises';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { webHandler } from '@partnerkit/web';
import { expect, onTestFinished, test } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { serve } from '../../web/test/bridge.ts';
import { organisationId, payment } from './support/platform.ts';

const program = new URL('./support/small-partner.ts', import.meta.url).pathname;
/** Milliseconds for which the program is killed and started again. */
const duration = sized(8_000, 600_000);

/** A platform with a pull endpoint, on a socket. */
const startPlatform = async () => {
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: organisationId, name: 'Main', status: 'active', environment: 'prod' }]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
    api: { webhooks: true },
  });
  const requests = createRequests({ kit });
  const handle = webHandler([...kit.routes, ...requests.routes]);
  const server = await serve(async (request) => (await handle(request)) ?? new Response(null, { status: 404 }));
  const worker = kit.worker();
  worker.start();
  const key = (await kit.clients.create(organisationId, { name: 'Ledger', rights: ['events:read'] }))._unsafeUnwrap();
  const input = { kind: 'pull', events: ['RequestPayment.creation'] } as const;
  const { endpoint } = (await kit.endpoints.create(organisationId, input))._unsafeUnwrap();
  return {
    port: server.port,
    given: [key.client.id, key.secret, organisationId, endpoint.id],
    publish: async () =>
      (await requests.payments.create(organisationId, payment as never, { tx: 'new' }))._unsafeUnwrap().id,
    close: async () => {
      await worker.stop();
      await server.close();
    },
  };
};

test('a program that is killed at random handles each event once, in order', {
  timeout: duration + 240_000,
}, async () => {
  const platform = await startPlatform();
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-follow-'));
  const file = join(folder, 'ledger.db');
  const origin = `http://127.0.0.1:${platform.port}`;
  const running = new Set<ChildProcess>();
  const start = (): void => {
    const child = spawn(process.execPath, ['--conditions=source', program, origin, file, ...platform.given], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
  };
  onTestFinished(async () => {
    for (const child of running) child.kill('SIGKILL');
    await platform.close();
    await rm(folder, { recursive: true, force: true });
  });

  const published: string[] = [];
  const until = Date.now() + duration;
  let kills = 0;
  const publishing = (async () => {
    while (Date.now() < until) {
      published.push(await platform.publish());
      await after(Math.random() * 400);
    }
  })();
  start();
  while (Date.now() < until) {
    await after(500 + Math.random() * 4_000);
    // Two copies at once, now and then.
    if (Math.random() < 0.3) start();
    const [oldest] = running;
    if (!oldest) continue;
    const gone = once(oldest, 'exit');
    oldest.kill('SIGKILL');
    await gone;
    kills++;
    if (running.size === 0) start();
  }
  await publishing;

  const ledger = (): readonly string[] => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database
        .prepare('select object from ledger order by rowid')
        .all()
        .map(({ object }) => String(object));
    } catch {
      return [];
    } finally {
      database.close();
    }
  };
  await expect.poll(() => ledger().length).toBe(published.length);
  expect(ledger()).toEqual(published);
  console.log(JSON.stringify({ published: published.length, kills }));
});
