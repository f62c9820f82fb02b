import { randomBytes } from 'node:crypto';
import { createPartnerkit } from '@partnerkit/core';
import type { Sender } from '@partnerkit/core/ports';
import { createRequests, requestObjects } from '@partnerkit/core/requests';
import { fastifyRoutes } from '@partnerkit/fastify';
import { generateRingKey, joseAccessTokens } from '@partnerkit/jose';
import fastify from 'fastify';
import type { Database } from './database.ts';
import { organisations } from './host.ts';
import { createPortal } from './portal.ts';

/** A platform without deposits of its own: partnerkit manages them, in the database of the platform. */
export const startManagingHost = async <Tx extends object>({
  port,
  database,
  sender,
}: {
  readonly port: number;
  readonly database: Database<Tx>;
  readonly sender: Sender;
}) => {
  const { storage } = database;
  const kit = createPartnerkit({
    accounts: { find: async (id) => organisations.find((organisation) => organisation.id === id) },
    storage,
    tokens: await joseAccessTokens({
      keys: [await generateRingKey()],
      issuer: 'https://platform.example',
      audience: 'https://platform.example/api/v1/partner',
    }),
    sender,
    sealingKeys: [{ id: 'k1', key: randomBytes(32) }],
    objects: requestObjects,
  });
  const requests = createRequests({
    kit,
    testEnvironments: ['test'], // The ledger entry is in the transaction of the command, so both are stored or neither.
    onCommand: async ({ object, command, after, tx }) => {
      if (object === 'RequestSecurityDeposit' && command === 'succeedDeposit')
        await database.book(tx, { depositId: after.id, to: 'held', cents: after.amount });
      if (object === 'CashOut' && command === 'complete')
        await database.book(tx, { depositId: after.depositId, to: 'partner', cents: after.amount });
      if (object === 'RequestSecurityDeposit' && command === 'finish') {
        const done = after.cashOuts.filter(({ status }) => status === 'done');
        const paidOut = done.reduce((sum, { amount }) => sum + amount, 0);
        await database.book(tx, { depositId: after.id, to: 'guest', cents: after.amount - paidOut });
      }
    },
  });
  const app = fastify({ forceCloseConnections: true });
  const portal = createPortal(kit);
  portal.register(app);
  await app.register(fastifyRoutes, { routes: [...kit.routes, ...requests.routes, ...portal.routes] });
  const baseUrl = await app.listen({ host: '127.0.0.1', port });
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
