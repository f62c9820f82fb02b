import type { AddressInfo } from 'node:net';
import { expressRouter } from '@partnerkit/express';
import express from 'express';
import { kit, pool, prisma } from './kit.ts';

const app = express();
// Before any body parser: signatures and logins are read from the raw bytes.
app.use(expressRouter(kit.routes));

// Your own route: whoever may call it is up to you.
app.post('/payments/:id/paid', async ({ params: { id } }, response) => {
  const isPaid = await prisma.$transaction(async (tx) => {
    const [paid] = await tx.payment.updateManyAndReturn({ where: { id }, data: { status: 'paid' } });
    if (!paid) return false;
    // Commit delivers the event; a rollback leaves nothing of it.
    const { accountId, ...data } = paid;
    await kit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data }, { tx });
    return true;
  });
  response.status(isPaid ? 204 : 404).end();
});

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log('listening on', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

const stop = (): void => {
  server.close(async () => {
    await prisma.$disconnect();
    await pool.end();
  });
  server.closeIdleConnections();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
