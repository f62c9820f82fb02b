import { expect, test } from 'vitest';
import { z } from 'zod';
import { createPartnerkit } from '../../../src/kit/create-partnerkit.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { defineObject } from '../../../src/webhooks/catalogue/define-object.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';
import { call } from '../../support/http.ts';
import { accounts, sealingKeys } from '../../support/kit.ts';

/** The platform keeps `iban`, `riskScore` and the texts of lines to itself, and requires them. */
const invoice = defineObject('Invoice', {
  schema: z.strictObject({
    id: z.string(),
    total: z.number().min(1),
    riskScore: z.number(),
    payer: z.strictObject({ email: z.email(), iban: z.string().min(4) }),
    lines: z.array(z.strictObject({ text: z.string().min(1), price: z.number() })),
    review: z.strictObject({ by: z.string() }),
  }),
  groups: { summary: ['total', 'lines.price'], payer: ['payer.email'] },
  events: {
    creation: { groups: ['summary'], description: 'A new invoice.' },
    payed: ['summary', 'payer'],
    removal: {
      groups: [],
      deprecated: { since: Date.UTC(2027, 0, 31), until: Date.UTC(2027, 6, 31), instead: 'payed' },
    },
  },
});
const score = defineObject('Score', {
  schema: z.object({ id: z.string(), value: z.number(), secret: z.string().refine((text) => text === 'open sesame') }),
  events: { creation: ['value'] },
});

const open = async () => {
  const sender = memorySender();
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    tokens: memoryAccessTokens(),
    storage: memoryStorage(),
    sender,
    advanced: { sealingKeys },
    objects: [invoice, score],
    webhooks: {
      signatures: [standardWebhooks(), specificationSignature({ until: Date.UTC(2027, 6, 31) })],
      profiles: {
        old: { signatures: [specificationSignature({ until: Date.UTC(2027, 0, 31) }), standardWebhooks()] },
        plain: { signatures: [specificationSignature()] },
      },
    },
  });
  const routes = kit.managementRoutes({
    authorize: () => ({ accountId: 'acc_a', userId: 'user_1', can: { webhooks: 'write' } }),
  });
  const hook = { url: 'https://partner.example/hooks', events: ['removal'] } as const;
  const { endpoint } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap();
  const base = '/api/v1/partner-management';
  return {
    readCatalogue: async () => JSON.parse((await call({ routes }, 'GET', `${base}/catalogue`)).body),
    /** Sends a test event; resolves to the data that the receiver got, or to the wrong fields. */
    sendTest: async (objectName: string, type: string, data: object) => {
      const answer = await call({ routes }, 'POST', `${base}/endpoints/${endpoint.id}/test`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ objectName, type, data }),
      });
      const { errors } = JSON.parse(answer.body);
      if (answer.status !== 202) return errors.map(({ pointer }: { readonly pointer: string }) => pointer);
      await kit.worker().drain();
      const { id, ...sent } = JSON.parse(sender.posts.at(-1)?.body ?? '').data;
      expect(id).toMatch(/^test_/);
      return sent;
    },
  };
};

const summary = { total: 1, lines: [{ price: 100 }] };
const payed = { ...summary, payer: { email: 'guest@example.com' } };

test('the catalogue has a sample of what each event type sends', async () => {
  const { readCatalogue } = await open();
  expect(await readCatalogue()).toEqual({
    objects: [
      {
        objectName: 'Invoice',
        events: [
          { type: 'creation', description: 'A new invoice.', sample: summary },
          { type: 'payed', sample: payed },
          { type: 'removal', deprecated: { since: 1_801_353_600, until: 1_816_992_000, instead: 'payed' } },
        ],
      },
      // No sample satisfies the rule of the host.
      { objectName: 'Score', events: [{ type: 'creation' }] },
    ],
    endingSignatures: [
      { headers: ['X-WEBHOOK-SIGNATURE'], until: 1_816_992_000 },
      { profile: 'old', headers: ['X-WEBHOOK-SIGNATURE'], until: 1_801_353_600 },
    ],
  });
});

test('each sample is a test event, which sends exactly its fields', async () => {
  const { sendTest } = await open();
  expect(await sendTest('Invoice', 'creation', summary)).toEqual(summary);
  expect(await sendTest('Invoice', 'payed', payed)).toEqual(payed);
  expect(await sendTest('Invoice', 'removal', {})).toEqual({});
  const lines = [{ price: 7 }, { price: 8 }];
  expect(await sendTest('Invoice', 'creation', { total: 15, lines })).toEqual({ total: 15, lines });
});

test('fields that the type sends are required; errors name no other field', async () => {
  const { sendTest } = await open();
  const { total: _missing, ...others } = payed;
  expect(await sendTest('Invoice', 'payed', others)).toEqual(['/data/total']);
  expect(await sendTest('Invoice', 'payed', summary)).toEqual(['/data/payer']);
  expect(await sendTest('Invoice', 'creation', { ...summary, total: 0 })).toEqual(['/data/total']);
  expect(await sendTest('Score', 'creation', { value: 1, secret: 'open sesame' })).toEqual({ value: 1 });
});
