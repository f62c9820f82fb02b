import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { signBody, signingKey, verifySignature } from '@partnerkit/core';
import { compare, type Figure } from './measure.ts';

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const bodyOf = (bytes: number): string => {
  const frame = '{"timestamp":1795000000,"data":{"id":"pay_1","name":""},"objectName":"RequestPayment","type":"payed"}';
  return frame.replace('"name":""', `"name":"${'x'.repeat(bytes - frame.length)}"`);
};

/** Sign and verify against a bare `createHmac` with a key made once and a text as body. */
export const signature = async (): Promise<readonly Figure[]> => {
  const key = signingKey(secret);
  const bare = createSecretKey(Buffer.from(secret));
  const figures: Figure[] = [];
  for (const bytes of [300, 1_024, 10_240]) {
    const body = bodyOf(bytes);
    const header = signBody(key, body);
    const expected = Buffer.from(header);
    figures.push(
      await compare(
        `sign ${bytes} B`,
        0.9,
        (times) => {
          for (let i = 0; i < times; i++) signBody(key, body);
        },
        (times) => {
          for (let i = 0; i < times; i++) createHmac('sha1', bare).update(body, 'utf8').digest('hex');
        },
      ),
      await compare(
        `verify ${bytes} B`,
        0.9,
        (times) => {
          for (let i = 0; i < times; i++) if (verifySignature(body, header, [key]).isErr()) throw new Error('refused');
        },
        (times) => {
          for (let i = 0; i < times; i++) {
            const computed = createHmac('sha1', bare).update(body, 'utf8').digest('hex');
            if (!timingSafeEqual(Buffer.from(computed), expected)) throw new Error('refused');
          }
        },
      ),
    );
  }
  return figures;
};
