import { createRequests, requestObjects } from '@partnerkit/core/requests';
import { fastifyRoutes } from '@partnerkit/fastify';
import { createPartnerkit } from '@partnerkit/node';
import fastify from 'fastify';
import { type HostOptions, kitOptions, withDefaults } from './host.ts';
import { listen } from './listen.ts';
import { createPortal } from './portal.ts';

/** A platform without deposits of its own: partnerkit manages them, in the database of the platform. */
export const startManagingHost = async <Tx extends object>(options: HostOptions<Tx>) => {
  const settings = withDefaults(options);
  const { database } = settings;
  const kit = createPartnerkit({ ...kitOptions(settings), objects: requestObjects });
  const requests = createRequests({
    kit,
    testEnvironments: ['test'],
    // The ledger entry is in the transaction of the command, so both are stored or neither.
    onCommand: async ({ transaction, tx }) => {
      if (transaction?.status !== 'succeeded') return;
      const { id: transactionId, kind, amount: cents } = transaction;
      await database.book(tx, { transactionId, kind, cents });
    },
  });
  const app = fastify({ forceCloseConnections: true });
  const portal = createPortal(kit);
  portal.register(app);
  await app.register(fastifyRoutes, { routes: [...kit.routes, ...requests.routes, ...portal.routes] });
  const baseUrl = await listen(app, settings.kept, settings.port);
  const worker = kit.worker();
  worker.start();
  return {
    kit,
    requests,
    baseUrl,
    portalUrl: `${baseUrl}${portal.path}`,
    ledger: database.ledger,
    /** Commands that cause a webhook. */
    webhookMakers: (accessToken: string): readonly string[] => [
      `curl -s -X POST ${baseUrl}/api/v1/partner/organisations/org_main/security-deposit-templates -H 'Authorization: Bearer ${accessToken}' -H 'Content-Type: application/json' -d '{"name":"Cabane","depositAmount":200,"currency":"EUR"}'`,
    ],
    close: async () => {
      await worker.stop();
      await app.close();
      await database.close();
    },
  };
};

/** A running platform of that kind. */
export type ManagingHost = Awaited<ReturnType<typeof startManagingHost>>;
