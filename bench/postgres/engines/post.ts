import { createHmac, createSecretKey } from 'node:crypto';
import { Pool } from 'undici';
import { giveUp } from '../../children.ts';
import { inFlight } from '../load.ts';
import type { Receiver } from '../receiver.ts';

const key = createSecretKey(Buffer.from('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'));

export const sign = (body: string): string => createHmac('sha1', key).update(body, 'utf8').digest('hex');

/** The fastest promise-based POST of undici: one pool, persistent connections, discarded responses. */
export const poster = ({ origin, ca }: Receiver) => {
  const pool = new Pool(origin, { connections: inFlight, keepAliveTimeout: 100_000, connect: { ca } });
  return async (path: string, body: string, signature: string): Promise<number> => {
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'user-agent': 'bench', 'x-webhook-signature': signature },
      body,
    });
    await answer.dump();
    if (statusCode !== 204) giveUp(`The receiver answered ${statusCode}.`);
    return statusCode;
  };
};
