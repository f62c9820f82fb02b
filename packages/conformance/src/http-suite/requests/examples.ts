import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type ShownOperation, shownOperations } from '../support/examples.ts';
import type { RequestsCases } from './case.ts';
import type { RequestsClient } from './client.ts';
import { inTest, withTestEnvironment } from './made.ts';
import type { RequestsSettings } from './platform.ts';

/** The ids of the examples: the first object of each kind has that of the document. */
export const withExampleIds = (): RequestsSettings => {
  const counts = new Map<string, number>();
  return {
    ...withTestEnvironment(),
    newId: async (object) => {
      const count = (counts.get(object) ?? 0) + 1;
      counts.set(object, count);
      return `example_${count}`;
    },
  };
};

const paid = ['simulateSucceedDepositSecurityDeposit'];
const accepted = ['simulateAcceptCashOut'];
const completed = [...accepted, 'simulateCompleteCashOut'];
/** What is done before, each by its own example. Any other command is given on a new object. Written by hand. */
const before: Readonly<Record<string, readonly string[]>> = {
  simulateRefundPaymentRequest: ['simulateSucceedPaymentRequest'],
  giveEvidencePaymentRequest: ['simulateUpdateChargebackPaymentRequest'],
  giveEvidenceSecurityDeposit: ['simulateUpdateChargebackSecurityDeposit'],
  simulateSetTermSecurityDeposit: paid,
  simulateWarnOfEndSecurityDeposit: paid,
  simulateExtendSecurityDeposit: paid,
  checkInSecurityDeposit: paid,
  checkOutSecurityDeposit: [...paid, 'checkInSecurityDeposit'],
  finishSecurityDeposit: paid,
  // The cash-out is one of the deposit.
  simulateLitigateSecurityDeposit: ['simulateClaimCashOut'],
  simulateResumeSecurityDeposit: ['simulateClaimCashOut', 'denyCashOut'],
  denyCashOut: ['simulateClaimCashOut'],
  simulateSettleCashOut: ['simulateClaimCashOut', 'denyCashOut'],
  simulateEscrowCashOut: accepted,
  simulateCompleteCashOut: accepted,
  simulateCollectCashOut: completed,
  simulateMarkIrrecoverableCashOut: completed,
  simulateRefundCashOut: completed,
  cancelPaymentRequestBatch: ['createPaymentRequest'],
  cancelSecurityDepositBatch: ['createSecurityDeposit'],
};

type Values = Readonly<Record<string, string>>;

/** Sends what the document shows, to a platform with all of it. */
const senderOf = ({ must, document }: RequestsClient) => {
  const operations = shownOperations(document()).filter(({ template }) => template.includes('{organisationId}/'));
  let sent = 0;

  const send = async ({ method, template, status, body, needs, operationId }: ShownOperation, values: Values) => {
    const path = template.replace(/^.*\{organisationId\}\//, '').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
    const keys = needs.map((name) => [name.toLowerCase(), `${operationId}-${sent++}`]);
    const { json } = await must(status, method, path, { ...inTest, body, headers: Object.fromEntries(keys) });
    return json;
  };
  const named = (operationId: string): ShownOperation => {
    const found = operations.find((each) => each.operationId === operationId);
    ok(found, `${operationId} is not in the document`);
    return found;
  };

  /** Makes what a path names: the deposit of a cash-out is paid. */
  const made = async (template: string): Promise<Values> => {
    let values: Values = {};
    if (template.includes('{depositId}')) {
      const { id } = await send(named('createSecurityDeposit'), {});
      for (const each of paid) await send(named(each), { id });
      values = { depositId: id };
    }
    const [collection, rest] = template.split('/{id}');
    const create = operations.find((each) => each.method === 'POST' && each.template === collection);
    return rest === undefined || !create ? values : { ...values, id: (await send(create, values)).id };
  };

  /** Brings an object into a state that allows an operation, and sends it. */
  const perform = async (operation: ShownOperation) => {
    const steps = (before[operation.operationId] ?? []).map(named);
    const values = await made((steps[0] ?? operation).template);
    for (const step of steps) await send(step, values);
    const { depositId } = values;
    const isOfDeposit = depositId !== undefined && !operation.template.includes('{depositId}');
    return send(operation, isOfDeposit ? { id: depositId } : values);
  };
  return { operations, perform };
};

/** What a tool copies from the document succeeds. */
export const exampleCases: RequestsCases = {
  'the example of each body is accepted, and that of each new object is what the platform answers': async (client) => {
    const hook = { url: 'https://partner.example/hooks', events: ['payed'] };
    ok((await client.endpoints.create('org_test', hook)).isOk());
    const { operations, perform } = senderOf(client);
    const all = operations.filter(({ body }) => body !== undefined);
    // The first objects are those of the batches.
    const batches = all.filter(({ operationId }) => /^cancel.*Batch$/.test(operationId));
    strictEqual(batches.length, 2);
    for (const operation of [...batches, ...all.filter((each) => !batches.includes(each))]) {
      const { operationId, status, answer } = operation;
      const answered = await perform(operation);
      if (status === 201) deepStrictEqual(Object.keys(answered), Object.keys(answer as object), operationId);
      for (const item of operationId.endsWith('Batch') ? answered.items : [])
        ok(item.status < 400, `${operationId}: ${JSON.stringify(item)}`);
      if (operationId === 'sendTestWebhook') strictEqual(answered.events.length, 1);
    }
    ok(all.length > 50, `${all.length} examples were sent`);
  },
};
