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
// While a secret is rotated, both are good.
const [secret = '', ...others] = need('WEBHOOK_SECRETS', 'the webhook secret; two with a space between').split(/ +/);

/** Stands for your work. When it rejects, the event is sent again. */
const record = (event: Envelope): Promise<void> =>
  appendFile(`${env['DATA_DIR'] ?? '.'}/events.jsonl`, `${dedupKey(event)}\n`);

const receiver = createReceiver({
  secrets: [secret, ...others],
  // The header as it is called in the endpoint's settings.
  ...(env['WEBHOOK_API_KEY'] && { apiKey: { header: 'X-API-Key', value: env['WEBHOOK_API_KEY'] } }),
  // Forgotten at a restart, and known to this process alone. In production:
  // `postgresSeenKeys(pool)` of @partnerkit/postgres, or `redisSeenKeys(client)` of @partnerkit/redis.
  seen: memorySeenKeys(),
  // What has no handler is confirmed and dropped, types of the future included.
  on: {
    RequestPayment: { payed: record, cancel: record },
    RequestSecurityDeposit: { deposit_success: record, cancel: record },
  },
  onError: (cause) => console.error(cause),
});

const app = fastify();
// Your own routes and body parsers may stand beside it: it reads its bytes by itself.
await app.register(fastifyRoutes, { routes: [receiver.route('/webhooks')] });

await app.listen({ host: '127.0.0.1', port });
console.log(`listening on http://127.0.0.1:${port}/webhooks`);
process.once('SIGTERM', () => app.close());
