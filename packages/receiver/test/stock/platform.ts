import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import { undiciSender } from '@partnerkit/node/undici';
import { createCertificateAuthority } from '@partnerkit/testing';
import { z } from 'zod';

/** A delivery as it came over the wire. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const accountId = 'acc_partner';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), text: z.string().optional(), numbers: z.array(z.number()).optional() }),
  groups: { all: ['text', 'numbers'] },
  events: { default: ['all'] },
});
export type Payment = z.infer<typeof payment.schema>;

/** A partner's HTTPS server that keeps the bytes that it was sent. */
const startPartner = async () => {
  const authority = await createCertificateAuthority();
  const deliveries: Delivery[] = [];
  const server = createServer(await authority.issue({ names: ['partner.test'] }), async (request, response) => {
    deliveries.push({ headers: request.headers as Delivery['headers'], body: await buffer(request) });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const { port } = server.address() as AddressInfo;
  return { url: `https://partner.test:${port}/webhooks`, ca: authority.certificate, deliveries, close };
};

/** A platform, and a partner with one endpoint that takes both kinds of signature: real POSTs over real TLS. */
export const startPlatform = async () => {
  const partner = await startPartner();
  const lookup = async (): Promise<readonly string[]> => ['127.0.0.1'];
  const sender = undiciSender({ ca: partner.ca, allow: ['127.0.0.0/8'], lookup });
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: accountId, name: 'Partner', status: 'active', environment: 'prod' }]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: randomBytes(32) }] },
    objects: [payment],
  });
  const created = await kit.endpoints.create(accountId, {
    url: partner.url,
    events: ['payed'],
    standardWebhooks: true,
  });
  const { endpoint, secret } = created._unsafeUnwrap();
  const worker = kit.worker();

  return {
    secret,
    /** Publishes what happened to a payment, and resolves to what arrived. */
    deliver: async (data: Payment): Promise<Delivery> => {
      await kit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data }, { tx: 'new' });
      await worker.drain();
      const [delivery, ...more] = partner.deliveries.splice(0);
      if (!delivery || more.length > 0) throw new Error('One delivery was to arrive.');
      return delivery;
    },
    /** Begins a rotation; resolves to the next secret. */
    prepareSecret: async () => (await kit.endpoints.prepareSecret(accountId, endpoint.id))._unsafeUnwrap().secret,
    activateSecret: async () => (await kit.endpoints.activateSecret(accountId, endpoint.id))._unsafeUnwrap(),
    close: async (): Promise<void> => {
      await sender.close();
      await partner.close();
    },
  };
};
