import { WebhookVerificationService } from '@hookflo/tern';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Delivery } from './platform.ts';
import { run } from './run.ts';

/** A receiver that a partner may have, made by others: it knows nothing of partnerkit. */
export interface StockReceiver {
  readonly name: string;
  /** Whether it takes a delivery for genuine. Rejects when it cannot be asked. */
  accepts(delivery: Delivery, secret: string): Promise<boolean>;
}

const python = `
import hashlib, hmac, os, sys
expected = hmac.new(os.environ['WEBHOOK_SECRET'].encode(), sys.stdin.buffer.read(), hashlib.sha1).hexdigest()
print('genuine' if hmac.compare_digest(expected, os.environ['WEBHOOK_SIGNATURE']) else 'forged')
`;

const signatureOf = ({ headers }: Delivery): string => headers['x-webhook-signature'] ?? '';

/** What reads `X-WEBHOOK-SIGNATURE`: HMAC-SHA-1 of the raw body in lowercase hex. */
export const signatureReceivers: readonly StockReceiver[] = [
  {
    name: 'hmac of Python',
    accepts: async (delivery, secret) => {
      const env = { WEBHOOK_SECRET: secret, WEBHOOK_SIGNATURE: signatureOf(delivery) };
      const verdict = run('python3', ['-c', python], { input: delivery.body, env });
      if (verdict !== 'genuine' && verdict !== 'forged') throw new Error(`Python says: ${verdict}`);
      return verdict === 'genuine';
    },
  },
  {
    name: 'openssl dgst',
    accepts: async (delivery, secret) => {
      const [digest] = run('openssl', ['dgst', '-sha1', '-r', '-hmac', secret], { input: delivery.body }).split(' ');
      return digest === signatureOf(delivery);
    },
  },
  {
    name: '@hookflo/tern',
    accepts: async ({ headers, body }, secret) => {
      const { isValid, errorCode, error } = await WebhookVerificationService.verify(
        new Request('https://partner.test/', { method: 'POST', headers, body }),
        {
          platform: 'custom',
          secret,
          signatureConfig: { algorithm: 'hmac-sha1', headerName: 'x-webhook-signature', headerFormat: 'raw' },
        },
      );
      if (!isValid && errorCode !== 'INVALID_SIGNATURE') throw new Error(error);
      return isValid;
    },
  },
];

/** What reads the headers of Standard Webhooks. */
export const standardReceiver: StockReceiver = {
  name: 'standardwebhooks',
  accepts: async ({ headers, body }, secret) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return true;
    } catch (cause) {
      if (cause instanceof WebhookVerificationError && cause.message === 'No matching signature found') return false;
      throw cause;
    }
  },
};
