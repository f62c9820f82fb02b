import { type CertificateAuthority, createCertificateAuthority } from '../certificates.ts';
import { startHttpsReceiver } from '../https-receiver.ts';
import { perform } from './perform.ts';
import { createScript, type PartnerStep, type ScriptedPartner } from './script.ts';

/**
 * Options of a scripted receiver.
 * @public
 */
export interface ScriptedReceiverOptions {
  /** Host name of its URL and certificate. @defaultValue 'partner.test' */
  readonly name?: string;
  /** Issues its certificate. Share one between the receivers of one sender. @defaultValue a new authority */
  readonly authority?: CertificateAuthority;
}

/**
 * A scripted partner behind a real HTTPS server, with the settings that a sender needs to reach it.
 * @public
 */
export interface ScriptedReceiver extends ScriptedPartner {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Certificate of the authority to trust, PEM. */
  readonly ca: string;
  /** Resolves its name, and no other, to 127.0.0.1; the sender must allow that address. */
  lookup(name: string): Promise<readonly string[]>;
  /** Closes every connection, also those without a response. */
  close(): Promise<void>;
}

/**
 * Starts a scripted partner on 127.0.0.1, for tests over real sockets and TLS.
 * @example
 * const receiver = await startScriptedReceiver();
 * receiver.script(500, 'cut', { status: 503, headers: { 'retry-after': '120' } });
 * const sender = httpsSender({ ca: receiver.ca, lookup: receiver.lookup, allow: ['127.0.0.0/8'] });
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
    lookup: async (host) => {
      if (host !== name) throw Object.assign(new Error(`No address of ${host}.`), { code: 'ENOTFOUND' });
      return ['127.0.0.1'];
    },
    close,
  };
};
