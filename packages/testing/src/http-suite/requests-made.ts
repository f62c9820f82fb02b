import { ok } from 'node:assert';
import { deposit, payment, type RequestsClient } from './requests-client.ts';

/** The account that most cases act for. @internal */
export const own = { id: 'org_main', environment: 'prod' };
/** @internal */
export const alone = { tx: 'new' } as const;

/** A payment request, by its id. @internal */
export const newPayment = async ({ must }: RequestsClient, fields: object = {}): Promise<string> =>
  (await must(201, 'POST', 'payment-requests', { body: { ...payment, ...fields } })).json.id;

/** A deposit that was made, by its id. @internal */
export const newDeposit = async ({ must, requests }: RequestsClient, fields: object = {}): Promise<string> => {
  const { id } = (await must(201, 'POST', 'security-deposits', { body: { ...deposit, ...fields } })).json;
  ok((await requests.deposits.perform(own, id, 'succeedDeposit', {}, alone)).isOk());
  return id;
};

/** An account of a test environment. @internal */
export const inTest = { as: 'test', account: 'org_test' } as const;
/** The platform that has one. @internal */
export const withTestEnvironment = () => ({ testEnvironments: ['test'] });
