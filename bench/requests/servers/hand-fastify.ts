import { randomUUIDv7 } from 'node:crypto';
import { objectHash, shardOf } from '@partnerkit/core/adapter';
import { fastify } from 'fastify';
import pg from 'pg';
import { z } from 'zod';
import { organisation } from '../../http/checks.ts';
import { meAnswer, meRequest, noStore } from '../../http/servers/hand-written.ts';
import { portOf } from '../../http/servers/listen.ts';
import { book, poolSize, serveRequests } from './served.ts';

const newPayment = z.strictObject({
  name: z.string().min(1).max(256),
  description: z.string().min(1).max(500).optional(),
  amount: z.number().positive(),
  currency: z.string().length(3),
  recipient: z.strictObject({ email: z.email(), name: z.string().optional() }),
});
const change = newPayment.partial();
const stored = newPayment.extend({ id: z.string(), status: z.string(), createdAt: z.number(), updatedAt: z.number() });
type Payment = z.output<typeof stored>;

const insert = {
  name: 'insert',
  text: `insert into partnerkit.requests
      (account_id, kind, id, environment, version, status, recipient_email, created_at, updated_at, record)
    values ($1, 'payment', $2, $3, 1, $4, $5, $6, $6, $7)`,
};
const find = {
  name: 'find',
  text: `select record, version from partnerkit.requests
    where kind = 'payment' and id = $2 and account_id = $1 and environment = $3`,
};
const replace = {
  name: 'replace',
  text: `update partnerkit.requests set version = version + 1, status = $5, updated_at = $6, record = $7
    where kind = 'payment' and id = $2 and account_id = $1 and environment = $3 and version = $4 returning 1`,
};
const publish = {
  name: 'publish',
  text: `with place as (
      insert into partnerkit.outbox (shard, account_id, event_id, object_hash)
      values (${shardOf(organisation.id)}, $1, $2, ('x' || $6)::bit(64)::bigint)
    )
    insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
    values ($1, $2, 'RequestPayment', $3, $4, clock_timestamp(), $5)`,
};

const seconds = (time: number): number => Math.floor(time / 1_000);
const view = ({ createdAt, updatedAt, ...payment }: Payment): object => ({
  ...payment,
  organisationId: organisation.id,
  createdAt: seconds(createdAt),
  updatedAt: seconds(updatedAt),
});
const eventOf = (payment: Payment, type: string): unknown[] => {
  const rest = `,"data":${JSON.stringify(view(payment))},"objectName":"RequestPayment","type":"${type}"}`;
  return [organisation.id, randomUUIDv7(), payment.id, type, rest, objectHash(organisation.id, payment.id)];
};

/** The same checks, statements and responses as ours, for payment requests only, written by hand. */
serveRequests(async (connectionString) => {
  const pool = new pg.Pool({ connectionString, max: poolSize });
  const transaction = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const value = await work(client);
      await client.query('commit');
      return value;
    } catch (cause) {
      await client.query('rollback');
      throw cause;
    } finally {
      client.release();
    }
  };
  const { environment } = organisation;
  const app = fastify();
  app.addHook<{ Params: { organisationId: string } }>('onRequest', async (request, reply) => {
    if (!meAnswer(request.headers.authorization, request.params.organisationId)) await reply.code(401).send();
  });
  const path = '/organisations/:organisationId/payment-requests';
  app.post(path, async (request, reply) => {
    const { data } = newPayment.safeParse(request.body);
    if (!data) return reply.code(400).send();
    const now = Date.now();
    const payment: Payment = { ...data, id: randomUUIDv7(), status: 'pending', createdAt: now, updatedAt: now };
    const { id, status } = payment;
    await transaction(async (client) => {
      const values = [organisation.id, id, environment, status, payment.recipient.email, now, JSON.stringify(payment)];
      await client.query({ ...insert, values });
      await client.query({ ...publish, values: eventOf(payment, 'creation') });
      await client.query(book(id, 'create'));
    });
    return reply
      .code(201)
      .headers({ ...noStore, etag: '"1"', location: `${request.url}/${id}` })
      .send(view(payment));
  });
  app.patch<{ Params: { id: string } }>(`${path}/:id`, async (request, reply) => {
    const { data } = change.safeParse(request.body);
    if (!data) return reply.code(400).send();
    const { id } = request.params;
    const changed = await transaction(async (client) => {
      const [row] = (await client.query({ ...find, values: [organisation.id, id, environment] })).rows;
      if (!row) return undefined;
      const payment: Payment = { ...JSON.parse(row.record), ...data, updatedAt: Date.now() };
      const key = [organisation.id, id, environment, row.version];
      const values = [...key, payment.status, payment.updatedAt, JSON.stringify(payment)];
      if ((await client.query({ ...replace, values })).rowCount === 0) return undefined;
      await client.query({ ...publish, values: eventOf(payment, 'update') });
      await client.query(book(id, 'change'));
      return { payment, version: row.version + 1 };
    });
    if (!changed) return reply.code(409).send();
    return reply.headers({ ...noStore, etag: `"${changed.version}"` }).send(view(changed.payment));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const token = /Bearer (\S+)/.exec(meRequest())?.[1] ?? '';
  return { port: portOf(app.server), path: path.replace(':organisationId', organisation.id), token };
});
