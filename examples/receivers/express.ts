/** A partner's webhook receiver on Express: `PORT=8080 WEBHOOK_SECRETS=whsec_... node express.ts`. */
import { appendFile } from 'node:fs/promises';
import { expressRouter } from '@partnerkit/express';
import { createReceiver, dedupKey, type Envelope, memorySeenKeys } from '@partnerkit/receiver';
import express from 'express';

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

const app = express();
// Before any body parser: the signature is over the raw bytes.
app.use(expressRouter([receiver.route('/webhooks')]));

const server = app.listen(port, '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`listening on http://127.0.0.1:${port}/webhooks`);
});
process.once('SIGTERM', () => server.close());
