import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { requestObjects } from '@partnerkit/core/requests';
import { postgresStorage } from '@partnerkit/postgres';
import { assertReceivedOnce, assertSigned, startScriptedReceiver } from '@partnerkit/testing';
import { startPostgres } from '@partnerkit/workshop/services';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';

type Environment = Readonly<Record<string, string>>;

/** Starts a file of an example, and resolves when it has printed a text; its output so far is the result. */
const start = async (file: string, env: Environment, until: RegExp | 'exit') => {
  const child: ChildProcess = spawn(process.execPath, ['--conditions=source', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...compileCache, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const ended = once(child, 'exit');
  if (until === 'exit') expect(await ended).toEqual([0, null]);
  else await expect.poll(() => until.test(out) || child.exitCode !== null, { timeout: 60_000 }).toBe(true);
  expect(until === 'exit' || child.exitCode === null, out).toBe(true);
  return { child, ended, out };
};

/** The files of an example. */
interface Example {
  /** Creates the tables. */
  readonly migrate: string;
  /** Prints where it listens. */
  readonly server: string;
  /** Prints `working`. Absent: the server sends the webhooks. */
  readonly worker?: string;
}

/**
 * A payment that the server marks as paid arrives at a partner once, signed, without the IBAN. Every process ends on
 * `SIGTERM`.
 */
export const assertDeliversPayment = async ({ migrate, server: web, worker }: Example): Promise<void> => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const receiver = await startScriptedReceiver({ name: 'localhost' });
  onTestFinished(() => receiver.close());
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'ca.pem'), receiver.ca);
  const platformSecret = randomBytes(32).toString('base64');
  const env = {
    DATABASE_URL: server.url,
    PARTNERKIT_SECRET: platformSecret,
    DEVELOPMENT_CA: join(folder, 'ca.pem'),
    PORT: '0',
  };
  await start(migrate, env, 'exit');

  // What your own web interface does: an account, a payment, and the endpoint of a partner.
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  onTestFinished(() => pool.end());
  await pool.query(`insert into accounts values ('acc_1', 'Agency')`);
  await pool.query(`insert into payments values ('pay_1', 'acc_1', 'pending', 'CH93 0076 2011 6238 5295 7')`);
  const { endpoints } = createPartnerkit({
    accounts: memoryAccounts([{ id: 'acc_1', name: 'Agency', status: 'active', environment: 'prod' }]),
    storage: postgresStorage(pool),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    secret: platformSecret,
    objects: requestObjects,
  });
  const url = `https://localhost:${receiver.port}/hooks`;
  const { secret } = (await endpoints.create('acc_1', { url, events: ['payed'] }))._unsafeUnwrap();

  const started = await Promise.all([
    start(web, env, /listening on \S+/),
    ...(worker === undefined ? [] : [start(worker, env, /working/)]),
  ]);
  const base = /listening on (\S+)/.exec(started[0].out)?.[1];
  expect((await fetch(`${base}/payments/pay_1/paid`, { method: 'POST' })).status).toBe(204);
  expect((await fetch(`${base}/payments/unknown/paid`, { method: 'POST' })).status).toBe(404);
  const login = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${base}/api/v1/partner/login`, login)).status).toBe(400);
  await receiver.arrived(1);
  assertReceivedOnce(receiver.posts, { objectName: 'RequestPayment', type: 'payed', id: 'pay_1' });
  assertSigned(receiver.posts, secret);
  expect(receiver.posts[0]?.body).not.toContain('CH93');

  for (const { child } of started) child.kill('SIGTERM');
  for (const { ended } of started) expect(await ended).toEqual([0, null]);
};
