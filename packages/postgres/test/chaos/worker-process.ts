// A process with one worker. It says on its output under which ids it joins and how these end. SIGUSR2
// cuts it off from the database, or ends that.
import { setTimeout as after } from 'node:timers/promises';
import { systemClock, systemRandom } from '@partnerkit/core/adapter';
import pg from 'pg';
import { createFindParent } from '../../../core/src/base/accounts/find-parent.ts';
import { createAuditor } from '../../../core/src/base/audit/auditor.ts';
import { createSealer } from '../../../core/src/base/crypto/seal.ts';
import { defaultBreaker } from '../../../core/src/webhooks/delivery-rules/breaker.ts';
import { endpointSealer } from '../../../core/src/webhooks/endpoints/webhook-secret.ts';
import { createProfiles } from '../../../core/src/webhooks/signature/wire-profile.ts';
import { createAttempt } from '../../../core/src/webhooks/worker/attempts/attempt.ts';
import type { ReportError } from '../../../core/src/webhooks/worker/context/error-reports.ts';
import { defaultRetention } from '../../../core/src/webhooks/worker/context/retention.ts';
import { engine } from '../../../core/src/webhooks/worker/engine.ts';
import { createWorker } from '../../../core/src/webhooks/worker/worker.ts';
import { undiciSender } from '../../../node/src/undici/index.ts';
import { readTask, say, untilStopped } from '../../../workshop/src/processes/index.ts';
import { postgresStorage } from '../../src/index.ts';
import { deadline, directory, lease, retries, sealingKeys } from './platform.ts';
import { type Report, type WorkerTask, workerHeaders } from './reports.ts';

const { database, certificate } = readTask<WorkerTask>();
const report = (said: Report): void => say(said);
/** Milliseconds of a clock that all processes of this machine share. */
const now = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

let workerId = '';
/**
 * When the request was sent that renewed the lease, of each session: a late write of the last one may be fenced after
 * the next one joined.
 */
const renewedAt = new Map<string, number>();
/** From when on its row may be gone because it leaves. */
let isLeaving = false;

let cutOff: PromiseWithResolvers<void> | undefined;
process.on('SIGUSR2', () => {
  if (cutOff) cutOff.resolve();
  cutOff = cutOff ? undefined : Promise.withResolvers();
});
/** Calls that were held up go on in any order. */
const reachDatabase = async (): Promise<void> => {
  if (!cutOff) return;
  await cutOff.promise;
  await after(50 * Math.random());
};

/** Reports when the store says that the worker is fenced. */
const reporting = <Port extends object>(port: Port): Port =>
  Object.fromEntries(
    Object.entries(port).map(([name, method]) => [
      name,
      async (...args: readonly unknown[]) => {
        await reachDatabase();
        const answer: unknown = await method(...args);
        if (answer === 'fenced' && !isLeaving)
          report({
            kind: 'fenced',
            workerId: String(args[0]),
            by: name,
            unrenewedFor: now() - (renewedAt.get(String(args[0])) ?? 0),
          });
        return answer;
      },
    ]),
  ) as Port;

const pool = new pg.Pool({ connectionString: database, max: 3 });
// The server restarts.
pool.on('error', () => {});
const storage = postgresStorage(pool);
const shards = reporting(storage.shards);
const watched: typeof shards = {
  ...shards,
  join: async (id, time) => {
    workerId = id;
    isLeaving = false;
    report({ kind: 'joining', workerId });
    renewedAt.set(id, now());
    await shards.join(id, time);
  },
  heartbeat: async (id, time, mark) => {
    const sentAt = now();
    const answer = await shards.heartbeat(id, time, mark);
    if (answer !== 'fenced') renewedAt.set(id, sentAt);
    return answer;
  },
  leave: async (id) => {
    isLeaving = true;
    try {
      await shards.leave(id);
      report({ kind: 'left', workerId: id });
    } catch (cause) {
      report({ kind: 'not_left', workerId: id });
      throw cause;
    }
  },
};

const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: certificate, lookup: async () => ['127.0.0.1'] });
const findParent = createFindParent(directory, systemClock);
const reportError: ReportError = (_, cause) => report({ kind: 'error', message: String(cause) });
const attempts = createAttempt({
  sender: {
    send: (post) => {
      const headers = workerHeaders({ workerId, startedAt: now(), leaseUntil: (renewedAt.get(workerId) ?? 0) + lease });
      return sender.send({ ...post, headers: { ...post.headers, ...headers } });
    },
  },
  sealer: endpointSealer(createSealer(sealingKeys, systemRandom)),
  ...{
    findParent,
    clock: systemClock,
    reportError,
    userAgent: 'chaos',
    deadline,
    profiles: createProfiles('chaos', {}),
  },
});
const worker = createWorker(
  {
    storage: {
      shards: watched,
      deliveries: reporting(storage.deliveries),
      parents: reporting(storage.parents),
      audit: storage.audit,
      log: storage.log,
    },
    ...{
      engine,
      findParent,
      attempts,
      noteDispatched: undefined,
      clock: systemClock,
      random: systemRandom,
      auditor: createAuditor(sealingKeys, systemClock, systemRandom),
      factSources: [],
      observe: undefined,
      reportError,
    },
    ...{
      deadline,
      retries,
      breaker: defaultBreaker,
      retention: defaultRetention,
      lease,
      dueWork: [],
      handlers: () => ({
        register: async () => undefined,
        wake: () => undefined,
        drain: async () => 0,
        run: async () => undefined,
      }),
      onNudge: () => () => {},
    },
  },
  { pruneEvery: 1_000 },
);
worker.start();

await untilStopped();
await worker.stop();
await sender.close();
await pool.end();
