import { type CertificateAuthority, createCertificateAuthority } from '../certificates.ts';
import { perform } from '../contracts/perform.ts';
import { startHttpsReceiver } from '../https-receiver.ts';
import { createScript, type PartnerStep, type ScriptedPartner } from './script.ts';

/**
 * Who a scripted receiver is.
 * @public
 */
export interface ScriptedReceiverOptions {
  /** The host name of its URL and its certificate. @defaultValue 'partner.test' */
  readonly name?: string;
  /** Issues its certificate: one for several receivers, that one sender trusts. @defaultValue an authority of its own */
  readonly authority?: CertificateAuthority;
}

/**
 * A scripted partner behind a real HTTPS server, and what a sender needs to reach it.
 * @public
 */
export interface ScriptedReceiver extends ScriptedPartner {
  readonly port: number;
  /** PEM: the authority to be trusted. */
  readonly ca: string;
  /** Resolves its name to 127.0.0.1, which the sender must be allowed to reach, and no other name. */
  lookup(name: string): Promise<readonly string[]>;
  /** Ends every connection, answered or not. */
  close(): Promise<void>;
}

/**
 * Starts a scripted partner on 127.0.0.1, for tests over real sockets and TLS.
 * @example
 * const receiver = await startScriptedReceiver();
 * receiver.script(500, 'cut', { status: 503, headers: { 'retry-after': '120' } });
 * const sender = undiciSender({ ca: receiver.ca, lookup: receiver.lookup, allow: ['127.0.0.0/8'] });
 * await sender.send({ url: receiver.url, headers: {}, body: '{}', deadline: 15_000 });
 * strictEqual(receiver.posts.length, 1);
 * await sender.close();
 * await receiver.close();
 * @public
 */
export const startScriptedReceiver = async ({
  name = 'partner.test',
  authority,
}: ScriptedReceiverOptions = {}): Promise<ScriptedReceiver> => {
  const { certificate, issue } = authority ?? (await createCertificateAuthority());
  const { take, receive, ...partner } = createScript<PartnerStep>(200);
  const { port, close } = await startHttpsReceiver({
    ...(await issue({ names: [name] })),
    answer: async (request, response) => perform(await receive(request, take()), response),
  });
  return {
    ...partner,
    url: `https://${name}:${port}/webhooks`,
    port,
    ca: certificate,
    lookup: async (asked) => {
      if (asked !== name) throw Object.assign(new Error(`No address of ${asked}.`), { code: 'ENOTFOUND' });
      return ['127.0.0.1'];
    },
    close,
  };
};
