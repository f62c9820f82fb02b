import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createCertificateAuthority, startHttpsReceiver, startScriptedReceiver } from '@partnerkit/testing';
import type { SenderFixture } from './sender.ts';

/**
 * The receiver of a {@link SenderFixture}, with the settings that a sender needs to reach it.
 * @public
 */
export interface SenderReceiver extends Omit<SenderFixture, 'sender' | 'close'> {
  /** Certificate of the authority to trust, PEM. */
  readonly ca: string;
  /** Resolves the names of the suite, most of them to 127.0.0.1; the sender must allow that address. */
  lookup(name: string): Promise<readonly string[]>;
  /** Closes every connection and the server. */
  close(): Promise<void>;
}

/** A port without a listener. */
const closedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/**
 * Starts a real HTTPS server as the receiver of {@link senderContract}.
 * @example
 * const create = async () => {
 *   const receiver = await startSenderReceiver();
 *   const sender = httpsSender({ ca: receiver.ca, lookup: receiver.lookup, allow: ['127.0.0.0/8'] });
 *   const close = async () => {
 *     await sender.close();
 *     await receiver.close();
 *   };
 *   return { ...receiver, sender, close };
 * };
 * senderContract({ test, create });
 * @public
 */
export const startSenderReceiver = async (): Promise<SenderReceiver> => {
  const receiver = await startScriptedReceiver();
  const stranger = await createCertificateAuthority();
  const untrusted = await startHttpsReceiver(await stranger.issue({ names: ['untrusted.test'] }));
  const addresses: Readonly<Record<string, string>> = {
    'partner.test': '127.0.0.1',
    'untrusted.test': '127.0.0.1',
    'private.test': '10.0.0.1',
  };
  return {
    ca: receiver.ca,
    url: receiver.url,
    lookup: async (name) => {
      const address = addresses[name];
      if (address === undefined) throw Object.assign(new Error(`No address of ${name}.`), { code: 'ENOTFOUND' });
      return [address];
    },
    act: receiver.otherwise,
    received: () => receiver.posts,
    unreachable: [
      { url: `https://partner.test:${await closedPort()}/`, reason: 'connect' },
      { url: `https://untrusted.test:${untrusted.port}/`, reason: 'tls' },
      { url: 'https://private.test/', reason: 'forbidden_address' },
      { url: 'https://nobody.test/', reason: 'dns' },
    ],
    close: async () => {
      await receiver.close();
      await untrusted.close();
    },
  };
};
