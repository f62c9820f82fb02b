import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { receiverAttacks, startHostileReceiver } from '@partnerkit/conformance/attacks';
import { parseEnvelope, signatureHeader, signingKey, verifySignature } from '@partnerkit/core/wire';
import { createCertificateAuthority, type ReceivedRequest, startHttpsReceiver } from '@partnerkit/testing';
import type { Prng } from '../../packages/conformance/src/simulator/prng.ts';
import { startOwnReceivers } from './own-receiver.ts';
import type { StorageKind } from './stores.ts';

/**
 * How an endpoint answers. `receiver` is the receiver of this repository. `silent`, `redirecting` and `insecure` (a
 * certificate of a foreign authority) never confirm, until their partner moves them; `failing` and `gone` never do.
 */
export type Manner =
  | 'steady'
  | 'flaky'
  | 'slow'
  | 'huge'
  | 'receiver'
  | 'failing'
  | 'gone'
  | 'silent'
  | 'redirecting'
  | 'insecure';

/** What arrived of one event at one endpoint. */
export interface Arrival {
  posts: number;
  confirmed: number;
  readonly digest: string;
  readonly objectId: string;
  readonly nth: number;
  readonly timestamp: number;
}

/** What a partner knows of its endpoint. */
export interface Known {
  readonly manner: Manner;
  /** Those that have signed, or will. */
  readonly secrets: string[];
  readonly header: { readonly name: string; readonly value: string };
}

export const deliveryHeader = 'x-api-key';
const host = 'partner.test';
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Confirms, and sends an endless body. The sender reads only its beginning. */
const answerHuge = (response: ServerResponse): void => {
  const flow = (): void => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response
    .writeHead(200)
    .on('drain', flow)
    .on('error', () => undefined);
  flow();
};

type Answer = number | 'reset';

/** What a flaky partner does. */
const drawAnswer = async (prng: Prng): Promise<Answer> => {
  if (prng.chance(0.05)) await after(500 + prng.below(2_000));
  if (prng.chance(0.07)) return 'reset';
  if (prng.chance(0.15)) return 500;
  return prng.chance(0.03) ? 429 : 204;
};

/** The partners of all platforms. Each has paths of its own. */
export const startPartners = async (prng: Prng, redisUrl: string) => {
  const known = new Map<string, Known>();
  const arrivals = new Map<string, Arrival>();
  const faults: string[] = [];
  let isCalm = false;
  const posts = new Map<string, number>();
  const own = await startOwnReceivers(redisUrl);

  const check = ({ path, headers, body }: ReceivedRequest, { secrets, header }: Known): void => {
    const keys = secrets.map(signingKey);
    const signature = headers[signatureHeader]?.toString();
    if (verifySignature(body, signature, keys as [(typeof keys)[number]]) !== 'valid')
      faults.push(`${path}: signature`);
    if (headers[header.name] !== header.value) faults.push(`${path}: delivery header`);
  };
  const note = ({ path, headers, body }: ReceivedRequest): Arrival => {
    const key = `${path} ${headers['webhook-id']}`;
    const envelope = parseEnvelope(body);
    const { id = '', nth = 0 } = (envelope?.data ?? {}) as { id?: string; nth?: number };
    const seen = arrivals.get(key) ?? {
      ...{ posts: 0, confirmed: 0, digest: digestOf(body), objectId: id, nth, timestamp: envelope?.timestamp ?? 0 },
    };
    if (seen.digest !== digestOf(body)) faults.push(`${key}: other bytes`);
    arrivals.set(key, seen);
    seen.posts++;
    const [platform = ''] = path.slice(1).split('-');
    posts.set(platform, (posts.get(platform) ?? 0) + 1);
    return seen;
  };
  const send = (response: ServerResponse, answer: Answer, headers: Record<string, string> = {}, body = ''): Answer => {
    if (answer === 'reset') response.destroy();
    else response.writeHead(answer, headers).end(body);
    return answer;
  };
  const answerAs = async (of: Known, request: ReceivedRequest, response: ServerResponse): Promise<Answer> => {
    if (of.manner === 'failing') return send(response, 500, {}, JSON.stringify(request.rawHeaders));
    if (of.manner === 'gone') return send(response, 410);
    if (of.manner === 'redirecting' && !isCalm) return send(response, 307, { location: '/elsewhere' });
    if (of.manner === 'receiver') return own.handle(of.secrets[0] ?? '', request, response);
    if (of.manner === 'slow' && !isCalm) await after(1_000 + prng.below(2_000));
    if (of.manner === 'huge' && !isCalm) {
      answerHuge(response);
      return 200;
    }
    const drawn = of.manner === 'flaky' && !isCalm ? await drawAnswer(prng) : 204;
    return send(response, drawn, drawn === 429 ? { 'retry-after': '1' } : {});
  };
  const answer = async (request: ReceivedRequest, response: ServerResponse): Promise<void> => {
    const of = known.get(request.path);
    if (!of) {
      faults.push(`${request.path}: no endpoint has it`);
      return void send(response, 404);
    }
    check(request, of);
    const arrival = note(request);
    const answered = await answerAs(of, request, response);
    if (answered !== 'reset' && answered < 300) arrival.confirmed++;
  };

  const authority = await createCertificateAuthority();
  const issued = await authority.issue({ names: [host] });
  const foreign = await (await createCertificateAuthority()).issue({ names: [host] });
  const silence = receiverAttacks.find(({ name }) => name === 'silence');
  if (!silence) throw new Error('There is no attack "silence".');
  const trusted = await startHttpsReceiver({ ...issued, answer, isRecording: false });
  const insecure = await startHttpsReceiver({ ...foreign, answer: () => faults.push('an insecure receiver was read') });
  const silent = await startHostileReceiver(silence, issued);
  const ports: Partial<Record<Manner, number>> = { insecure: insecure.port, silent: silent.port };
  return {
    certificate: authority.certificate,
    /** The URL of an endpoint; once its partner moved it, of its working server. */
    urlOf: (path: string, manner: Manner) => `https://${host}:${ports[manner] ?? trusted.port}${path}`,
    ...{ known, arrivals, faults, handled: own.handled },
    /** POSTs to a platform's endpoints so far. */
    posts: (storage: StorageKind): number => posts.get(storage) ?? 0,
    /** From now on, what can be confirmed is. */
    calmDown: () => {
      isCalm = true;
    },
    close: async () => {
      for (const server of [trusted, insecure, silent]) await server.close();
      own.close();
    },
  };
};
export type Partners = Awaited<ReturnType<typeof startPartners>>;
