import { readRequest } from '@partnerkit/core/adapter';
import { fastifyRoutes } from '@partnerkit/fastify';
import { createReceiver, memorySeenKeys, type SeenKeys } from '@partnerkit/receiver';
import { createCertificateAuthority } from '@partnerkit/testing';
import fastify from 'fastify';
import { keepPartner } from './kept.ts';
import { listen } from './listen.ts';

/** Longer than the lease of a worker: that of an earlier process that was killed may not have ended. */
const arrivalTimeout = 30_000;

/** One received webhook. */
export interface Arrival {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
}

/** The HTTPS receiver of a partner, with a new certificate. It gets the secret of each endpoint at its creation. */
export const startPartner = async ({ kept = keepPartner(), seen = memorySeenKeys() as SeenKeys } = {}) => {
  const authority = await createCertificateAuthority();
  const app = fastify({ https: await authority.issue({ addresses: ['127.0.0.1'] }), forceCloseConnections: true });

  const processed: unknown[] = [];
  const arrivals: Arrival[] = [];
  const watchers = new Set<() => void>();
  let onArrival: (arrival: Arrival) => void = () => undefined;
  let failures = 0;
  let isBroken = false;
  const createOwnReceiver = () =>
    createReceiver({
      secrets: kept.value.secrets.length > 0 ? kept.value.secrets : ['not told yet'],
      seen,
      // The partner treats all events alike. Handlers for single types stand in `on`.
      on: {},
      otherwise: (event) => {
        if (isBroken) throw new Error('The partner’s database is down.');
        if (failures > 0) {
          failures -= 1;
          throw new Error('The partner’s database is down.');
        }
        processed.push(event);
      },
    });
  let receiver = createOwnReceiver();
  const route = receiver.route('/webhooks');
  await app.register(fastifyRoutes, {
    routes: [
      {
        ...route,
        handle: async (incoming) => {
          const request = await readRequest(incoming, route.maxBodyBytes);
          const response = await receiver.handle(request);
          const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
          const body = ArrayBuffer.isView(request.body) ? Buffer.from(request.body) : Buffer.alloc(0);
          const arrival = { headers: Object.fromEntries(headers), body, status: response.status };
          arrivals.push(arrival);
          onArrival(arrival);
          for (const watch of watchers) watch();
          return response;
        },
      },
    ],
  });
  const origin = await listen(app, kept);

  const learnSecret = (shown: string): void => {
    kept.change({ secrets: [shown, ...kept.value.secrets] });
    receiver = createOwnReceiver();
  };

  const controls = fastify({ forceCloseConnections: true });

  return {
    url: `${origin}/webhooks`,
    learnSecret,
    kept,
    /** Opens what a person changes of the partner by hand. Returns its address. */
    openControls: async (): Promise<string> => {
      controls.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
      controls.post('/break', async () => {
        isBroken = true;
        return 'The receiver fails from now on.\n';
      });
      controls.post('/mend', async () => {
        isBroken = false;
        return 'The receiver works again.\n';
      });
      controls.post<{ Body: string }>('/secret', async ({ body }) => {
        learnSecret(body.trim());
        return 'The receiver accepts this secret, too.\n';
      });
      return controls.listen({ host: '127.0.0.1', port: 0 });
    },
    /** The certificate authority that a client must trust. */
    ca: authority.certificate,
    processed,
    arrivals,
    /** Sets the listener for webhooks that arrive from now on. */
    onArrival: (listener: typeof onArrival): void => {
      onArrival = listener;
    },
    failNext: (times: number): void => {
      failures = times;
    },
    /** Resolves once `count` webhooks have arrived, or rejects after `timeout` milliseconds. */
    untilArrived: (count: number, timeout = arrivalTimeout): Promise<void> =>
      new Promise((resolve, reject) => {
        const end = (finish: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          finish();
        };
        const look = (): void => {
          if (arrivals.length >= count) end(resolve);
        };
        const timer = setTimeout(
          () => end(() => reject(new Error(`only ${arrivals.length} of ${count} webhooks arrived in ${timeout} ms`))),
          timeout,
        );
        watchers.add(look);
        look();
      }),
    close: async (): Promise<void> => {
      await controls.close();
      await app.close();
    },
  };
};

/** A running partner. */
export type Partner = Awaited<ReturnType<typeof startPartner>>;
