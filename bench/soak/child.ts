// A process of a platform: a host on a framework, or a worker. Its signals and errors go to its standard error, as to
// a log. What it is told sets its clock.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HttpResponse, Route } from '@partnerkit/core';
import { undiciSender } from '@partnerkit/node/undici';
import { serve as serveExpress } from '../../packages/express/test/serve.ts';
import { serve as serveFastify } from '../../packages/fastify/test/support/serve.ts';
import { webHandler } from '../../packages/web/src/index.ts';
import { serve as serveFetch } from '../../packages/web/test/bridge.ts';
import { readTask, say, untilStopped } from '../../packages/workshop/src/processes/index.ts';
import { type Kit, openKit, type Place, payed } from './platform.ts';
import { type HostStore, openStore } from './stores.ts';

export const frameworks = ['express', 'fastify', 'web'] as const;

export interface SoakTask {
  readonly role: 'host' | 'worker';
  /** Unique among all that were started. */
  readonly name: string;
  readonly place: Place;
  readonly framework?: (typeof frameworks)[number];
  /** It is never killed, so that its memory shows what hours do. */
  readonly isSpared: boolean;
}

/** What a process says on its output. */
export type Said = { readonly kind: 'listening'; readonly port: number } | ({ readonly kind: 'memory' } & Memory);

/** Memory of a process, in bytes or MiB. */
export interface Memory {
  /** Resident. */
  readonly resident: number;
  /** Objects and buffers, after the last collection of all garbage. Absent: there was none. */
  readonly kept?: number;
}

/** What a partner asks for. */
export interface PaymentRequest {
  readonly objectId: string;
  readonly nth: number;
  readonly isRolledBack: boolean;
}

class RolledBack extends Error {}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
/** Bytes that a process keeps. */
const measureKept = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const report = (said: Said): void => say(said);
const log = (entry: unknown): void => void process.stderr.write(`${JSON.stringify(entry)}\n`);
const answer = (status: number): HttpResponse => ({ status, headers: {}, body: '' });

/** A partner's call changes a row of the host and publishes, in one transaction. */
const paymentRoute = (kit: Kit, store: HostStore): Route =>
  kit.accountRoute(
    'POST',
    '/organisations/:organisationId/payments',
    async ({ account }, { body }) => {
      const { objectId, nth, isRolledBack }: PaymentRequest = JSON.parse(Buffer.from(body as Uint8Array).toString());
      try {
        await store.pay({ objectId, nth }, async (tx) => {
          await kit.events.publish(payed(account.id, objectId, nth), { tx });
          if (isRolledBack) throw new RolledBack();
        });
        return answer(201);
      } catch (cause) {
        if (cause instanceof RolledBack) return answer(204);
        throw cause;
      }
    },
    { right: 'none' },
  );

const serveWeb = (routes: readonly Route[]) => {
  const handle = webHandler(routes);
  return serveFetch(
    async (request, remoteAddress) =>
      (await handle(request, remoteAddress === undefined ? {} : { remoteAddress })) ??
      new Response(null, { status: 404 }),
  );
};
const servers = { express: serveExpress, fastify: serveFastify, web: serveWeb };

const run = async (): Promise<void> => {
  let ahead = 0;
  const {
    role,
    place,
    framework = 'express',
    isSpared,
  } = readTask<SoakTask, { readonly ahead: number }>((told) => {
    ({ ahead } = told);
  });
  const ended = untilStopped();
  let kept: number | undefined;
  setInterval(() => {
    report({ kind: 'memory', resident: process.memoryUsage.rss(), ...(kept === undefined ? {} : { kept }) });
  }, 1_000).unref();
  // Seldom: between two collections, the resident memory grows as it does in production.
  if (isSpared)
    setInterval(() => {
      kept = measureKept();
    }, 20_000).unref();

  const store = openStore(place.storage, place.database);
  const sender = undiciSender({
    ...{ allow: ['127.0.0.0/8'], ca: place.certificate, lookup: async () => ['127.0.0.1'] },
  });
  const { kit, redis } = await openKit({
    ...{ place, store, sender, ahead: () => ahead, observe: log },
    onError: (cause) => log({ error: cause instanceof Error ? cause.stack : String(cause) }),
  });
  if (role === 'worker') {
    const worker = kit.worker({ pruneEvery: 5_000 });
    worker.start();
    await ended;
    await worker.stop();
  } else {
    const server = await servers[framework]([...kit.routes, paymentRoute(kit, store)]);
    report({ kind: 'listening', port: server.port });
    await ended;
    await server.close();
  }
  await sender.close();
  redis.destroy();
  await store.close();
  process.exit(0);
};

if (process.argv[2] === 'child') await run();
