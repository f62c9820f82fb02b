import { ok } from 'node:assert';
import { day } from '@partnerkit/core';
import { CommandRejection, type EvidenceUploads } from '@partnerkit/core/requests';
import { deposit, payment, type RequestsClient } from './client.ts';

/** The account of most cases. */
export const own = { id: 'org_main', environment: 'prod' };
export const alone = { tx: 'new' } as const;

/** Creates a payment request, and resolves to its id. */
export const newPayment = async ({ must }: RequestsClient, fields: object = {}): Promise<string> =>
  (await must(201, 'POST', 'payment-requests', { body: { ...payment, ...fields } })).json.id;

/** Creates a deposit, and resolves to its id. */
export const newDeposit = async ({ must, requests }: RequestsClient, fields: object = {}): Promise<string> => {
  const { id } = (await must(201, 'POST', 'security-deposits', { body: { ...deposit, ...fields } })).json;
  ok((await requests.deposits.perform(own.id, id, 'succeedDeposit', alone)).isOk());
  return id;
};

/** An account of a test environment. */
export const inTest = { as: 'test', account: 'org_test' } as const;
/** Settings of a platform with a test environment. */
export const withTestEnvironment = () => ({
  testEnvironments: ['test'],
  proposedTerms: { guaranteedFor: 400 * day, claimFor: 400 * day },
  evidenceUpload: async ({ account, file }: Parameters<EvidenceUploads>[0]) => {
    if (file.size > 1_000)
      throw new CommandRejection({ code: 'file_too_large', detail: 'At most 1,000 bytes.', status: 413 });
    return {
      id: `${account.id}/1`,
      url: `https://files.example/${account.id}/1?type=${encodeURIComponent(file.contentType)}&signature=x`,
      headers: { 'content-type': file.contentType },
      expiresAt: 1_798_761_600_999,
    };
  },
});
