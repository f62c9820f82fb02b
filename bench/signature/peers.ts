import { Webhooks } from '@octokit/webhooks';
import {
  type SigningKey,
  signBody,
  signingKey,
  standardHeaders,
  standardKey,
  verifySignature,
  verifyStandard,
} from '@partnerkit/core/receiver';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { compare, type Figure, type Side } from '../measure.ts';
import { bodyOf, secret } from './load.ts';

/** Verifies a signature of the library itself, repeatedly. */
const repeated =
  (verify: () => unknown): Side =>
  async (times) => {
    for (let i = 0; i < times; i++) await verify();
  };

/**
 * Libraries that verify a body of 1 KB and its timestamp by HMAC-SHA-256, and parse it, are compared with our Standard
 * Webhooks. @octokit/webhooks verifies the body alone, so it is compared with `X-WEBHOOK-SIGNATURE`, although that is
 * HMAC-SHA-1.
 */
export async function* peers(): AsyncGenerator<Figure> {
  const body = bodyOf(1_024);
  const now = Math.floor(Date.now() / 1_000);
  const key = standardKey(secret);
  const headers = standardHeaders([key], 'msg_1', now, body);
  const request = { id: 'msg_1', timestamp: String(now), signature: headers['webhook-signature'] };
  const ours = async (): Promise<unknown> => {
    if (verifyStandard(body, request, [key], Date.now()).isErr()) throw new Error('refused');
    return JSON.parse(body);
  };

  const standard = new StandardWebhook(secret);
  const svix = new SvixWebhook(secret);
  const { webhooks: stripe } = new Stripe('sk_test_none');
  const stripeHeader = stripe.generateTestHeaderString({ payload: body, secret });
  const parsing = {
    standardwebhooks: () => standard.verify(body, headers),
    svix: () => svix.verify(body, headers),
    stripe: () => stripe.constructEvent(body, stripeHeader, secret),
  };
  for (const [name, theirs] of Object.entries(parsing))
    yield await compare(`verify and parse 1 KB, of ${name}`, 1, repeated(ours), repeated(theirs));

  const octokit = new Webhooks({ secret });
  const octokitSignature = await octokit.sign(body);
  const keys = [signingKey(secret)];
  const signature = signBody(keys[0] as SigningKey, body);
  const verify = async (): Promise<void> => {
    if (verifySignature(body, signature, keys).isErr()) throw new Error('refused');
  };
  const theirs = async (): Promise<void> => {
    if (!(await octokit.verify(body, octokitSignature))) throw new Error('refused');
  };
  yield await compare('verify 1 KB, of @octokit/webhooks', 1, repeated(verify), repeated(theirs));
}
