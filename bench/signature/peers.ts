import { Webhooks } from '@octokit/webhooks';
import {
  type SigningKey,
  signBody,
  signingKey,
  standardHeaders,
  standardKey,
  verifySignature,
  verifyStandard,
} from '@partnerkit/core/wire';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { atLeast, compared, inTurns, type Line } from '../measure.ts';
import type { Sized } from '../sizes.ts';
import { bodyOf, secret } from './load.ts';
import { repeated } from './sides.ts';

const rounds = 7;
const times = 15_000;

/**
 * Libraries that verify a body of 1 KB and its timestamp by HMAC-SHA-256, and parse it, are compared with our Standard
 * Webhooks. @octokit/webhooks verifies the body alone, so it is compared with `X-WEBHOOK-SIGNATURE`, although that is
 * HMAC-SHA-1.
 */
export async function* peers(sized: Sized): AsyncGenerator<Line> {
  const body = bodyOf(1_024);
  const now = Math.floor(Date.now() / 1_000);
  const key = standardKey(secret);
  const headers = standardHeaders([key], 'msg_1', now, body);
  const request = { id: 'msg_1', timestamp: String(now), signature: headers['webhook-signature'] };
  const parsed = async (): Promise<unknown> => {
    if (verifyStandard(body, request, [key], Date.now()) !== 'valid') throw new Error('refused');
    return JSON.parse(body);
  };
  const isParsed = (event: unknown): boolean => (event as { readonly type?: string }).type === 'payed';

  const standard = new StandardWebhook(secret);
  const svix = new SvixWebhook(secret);
  const { webhooks: stripe } = new Stripe('sk_test_none');
  const stripeHeader = stripe.generateTestHeaderString({ payload: body, secret });
  const parsing = {
    standardwebhooks: () => standard.verify(body, headers),
    // It returns nothing: a host parses the body itself.
    svix: () => {
      svix.verify(body, headers);
      return JSON.parse(body);
    },
    stripe: () => stripe.constructEvent(body, stripeHeader, secret),
  };
  for (const [name, theirs] of Object.entries(parsing)) {
    const sides = {
      partnerkit: repeated(sized(times, 20), parsed, isParsed),
      [name]: repeated(sized(times, 20), theirs, isParsed),
    };
    const { partnerkit: ours = [], [name]: others = [] } = await inTurns<string>(sides, sized(rounds, 1));
    yield compared('verify and parse 1 KB', ours, name, others, atLeast(1));
  }

  const octokit = new Webhooks({ secret });
  const octokitSignature = await octokit.sign(body);
  const keys = [signingKey(secret)];
  const signature = signBody(keys[0] as SigningKey, body);
  const isRight = (is: unknown): boolean => is === true;
  const verified = await inTurns(
    {
      partnerkit: repeated(
        sized(2 * times, 20),
        async () => verifySignature(body, signature, keys) === 'valid',
        isRight,
      ),
      '@octokit/webhooks': repeated(sized(2 * times, 20), () => octokit.verify(body, octokitSignature), isRight),
    },
    sized(rounds, 1),
  );
  yield compared('verify 1 KB', verified.partnerkit, '@octokit/webhooks', verified['@octokit/webhooks'], atLeast(1));
}
