/** A partner's webhook receiver on Fastify: `PORT=8080 WEBHOOK_SECRETS=whsec_... node fastify.ts`. */
import { appendFile } from 'node:fs/promises';
import { fastifyRoutes } from '@partnerkit/fastify';
import { createReceiver, dedupKey, type Envelope, memorySeenKeys } from '@partnerkit/receiver';
import fastify from 'fastify';

const { env } = process;
const need = (name: string, what: string): string => {
  const value = env[name]?.trim();
  if (value) return value;
  console.error(`${name} is not set: ${what}.`);
  process.exit(1);
};

const port = Number(need('PORT', 'the port to listen on'));
// During a rotation of the secret, both secrets are valid.
const [secret = '', ...others] = need('WEBHOOK_SECRETS', 'the webhook secret; two with a space between').split(/ +/);

/** Stands for your work. If it rejects, the platform sends the event again. */
const record = (event: Envelope): Promise<void> =>
  appendFile(`${env['DATA_DIR'] ?? '.'}/events.jsonl`, `${dedupKey(event)}\n`);

const receiver = createReceiver({
  secrets: [secret, ...others],
  // The header name from the settings of the endpoint.
  ...(env['WEBHOOK_API_KEY'] && { deliveryHeader: { name: 'X-API-Key', value: env['WEBHOOK_API_KEY'] } }),
  // Not for production: it loses its keys at a restart, and other processes do not see them. Use
  // `postgresSeenKeys(pool)` of @partnerkit/postgres, or `redisSeenKeys(client)` of @partnerkit/redis.
  seen: memorySeenKeys(),
  // Events without a handler are confirmed and ignored, including future types.
  on: {
    RequestPayment: { payed: record, cancel: record },
    RequestSecurityDeposit: { deposit_success: record, cancel: record },
  },
  onError: (cause) => console.error(cause),
});

const app = fastify();
// Your own routes and body parsers may stand beside it: it reads the raw bytes itself.
await app.register(fastifyRoutes, { routes: [receiver.route('/webhooks')] });

await app.listen({ host: '127.0.0.1', port });
console.log(`listening on http://127.0.0.1:${port}/webhooks`);
process.once('SIGTERM', () => app.close());
