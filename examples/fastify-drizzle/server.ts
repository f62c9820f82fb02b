import { fastifyRoutes } from '@partnerkit/fastify';
import { eq } from 'drizzle-orm';
import fastify from 'fastify';
import { db, kit, pool } from './kit.ts';
import { payments } from './schema.ts';

const app = fastify();
await app.register(fastifyRoutes, { routes: kit.routes });

// Your own route: whoever may call it is up to you.
app.post<{ Params: { id: string } }>('/payments/:id/paid', async ({ params: { id } }, reply) => {
  const isPaid = await db.transaction(async (tx) => {
    const [paid] = await tx.update(payments).set({ status: 'paid' }).where(eq(payments.id, id)).returning();
    if (!paid) return false;
    // Commit delivers the event; a rollback leaves nothing of it.
    const { accountId, ...data } = paid;
    await kit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data }, { tx });
    return true;
  });
  return reply.code(isPaid ? 204 : 404).send();
});

const stop = async (): Promise<void> => {
  await app.close();
  await pool.end();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

console.log('listening on', await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) }));
