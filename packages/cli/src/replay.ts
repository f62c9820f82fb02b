import { randomUUID } from 'node:crypto';
import { withoutConnection } from './forward.ts';
import type { DeliverLocally } from './local-delivery.ts';
import type { LocalSigner } from './local-signature.ts';
import type { Output } from './output.ts';
import { readRecordings } from './read-recordings.ts';

export interface ReplayOptions {
  /** A recording, a folder of recordings, or a log with one request as JSON on each line. */
  readonly path: string;
  readonly signer: LocalSigner;
  readonly deliver: DeliverLocally;
  readonly signal: AbortSignal;
}

/** Signatures that recordings of any platform may have. They are made anew, because their time has passed. */
const usualSignatures = ['x-webhook-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** Posts recorded requests again, signed anew. Resolves to the exit code. */
export const replay = async ({ path, signer, deliver, signal }: ReplayOptions, output: Output): Promise<number> => {
  const requests = readRecordings(path);
  const signed = new Set([...usualSignatures, ...signer.headerNames]);
  let accepted = 0;
  for (const [, { headers, body }] of requests) {
    if (signal.aborted) break;
    const kept = Object.entries(withoutConnection(headers)).filter(([name]) => !signed.has(name));
    const messageId = headers['webhook-id'] ?? `${randomUUID()}_${randomUUID()}`;
    if (await deliver({ messageId, headers: Object.fromEntries(kept), body })) accepted += 1;
  }
  output.progress(`${accepted} of ${requests.length} requests were accepted.`);
  return accepted === requests.length ? 0 : 1;
};
