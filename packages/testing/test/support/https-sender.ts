import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { DeliveryRequest, Sender, SendFailure, SendOutcome } from '@partnerkit/core/adapter';
import type { ScriptedReceiver } from '../../src/index.ts';

const notPublic = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 6],
] as const)
  notPublic.addSubnet(net, bits, 'ipv6');

interface SendError extends Error {
  readonly reason?: SendFailure;
  readonly code?: string;
}

const refused = (reason: SendFailure): SendError => Object.assign(new Error(reason), { reason });

const reasonOf = ({ reason, name, code }: SendError): SendFailure => {
  if (reason) return reason;
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  if (code === 'ECONNREFUSED') return 'connect';
  return code === 'ECONNRESET' ? 'reset' : 'tls';
};

/** The address to connect to, checked. */
const addressOf = async (hostname: string, lookup: ScriptedReceiver['lookup']): Promise<string> => {
  const host = hostname.replace(/^\[|\]$/g, '');
  const [address = ''] = isIP(host)
    ? [host]
    : await lookup(host).catch(() => {
        throw refused('dns');
      });
  if (notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) throw refused('forbidden_address');
  return address;
};

/** The first 4 KiB, as far as they come within a moment. */
const beginningOf = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  const late = AbortSignal.timeout(50);
  const ended = once(response, 'end', { signal: late }).catch(() => undefined);
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await ended;
  response.destroy();
  return Buffer.concat(chunks).subarray(0, 4_096).toString();
};

const exchange = async (
  { url, headers, body, deadline }: DeliveryRequest,
  { ca, lookup }: Pick<ScriptedReceiver, 'ca' | 'lookup'>,
) => {
  const { protocol, host: authority, hostname, port, pathname, search } = new URL(url);
  if (protocol !== 'https:') throw refused('forbidden_address');
  const sent = request({
    method: 'POST',
    host: await addressOf(hostname, lookup),
    port: port || 443,
    path: pathname + search,
    servername: isIP(hostname) ? '' : hostname,
    headers: { ...headers, host: authority, 'content-length': Buffer.byteLength(body) },
    ca,
    agent: false,
    signal: AbortSignal.timeout(deadline),
  });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  // A socket that is cut in the middle of a body has answered.
  sent.on('error', () => {});
  return response as IncomingMessage;
};

/** As plain a sender as may be, on real sockets: it shows that the suite asks for nothing that cannot be. */
export const httpsSender = (reach: Pick<ScriptedReceiver, 'ca' | 'lookup'>): Sender => ({
  send: async (post): Promise<SendOutcome> => {
    const startedAt = performance.now();
    try {
      const response = await exchange(post, reach);
      const durationMs = performance.now() - startedAt;
      const retryAfter = response.headers['retry-after'];
      return {
        kind: 'answered',
        status: response.statusCode ?? 0,
        body: await beginningOf(response),
        durationMs,
        ...(retryAfter === undefined ? {} : { retryAfter }),
      };
    } catch (cause) {
      return { kind: 'failed', reason: reasonOf(cause as SendError), durationMs: performance.now() - startedAt };
    }
  },
});
