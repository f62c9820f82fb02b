import { type BadRequest, give, shortly, wrongReason, wrongValues } from './bad-request.ts';
import { badValues } from './bad-values.ts';

const { description, name, reason, paymentUrl, amount, stay, time, paymentUrlExpiresAt, evidence } = badValues;
const notNull = (values: readonly unknown[]): readonly unknown[] => values.filter((value) => value !== null);

const reported = { kind: 'charge', amount: 5 };
/** Each field of a transaction, wrong. */
const wrongTransactions = (path: string, transaction: object): readonly BadRequest[] =>
  Object.entries<readonly unknown[]>({
    kind: ['payment', null, 5],
    amount: [0, -1, '5', null],
    method: ['', 'Card', 'x'.repeat(65), null],
    outcome: ['ok', { code: '' }, { code: 'a', text: '' }],
    fee: [-1, '1', null],
    settledAt: [-1, 1.5, '2027-01-01', 1_798_761_600_000],
    processorReference: ['', 'a\u0000b', 'x'.repeat(257), 5],
    metadata: [{ key: 5 }, { key: '' }, 'text'],
    currency: ['eur', 'EURO', 5, null],
    capturableUntil: [-1, 1.5, '2027-01-01', null],
  }).flatMap(([field, values]) =>
    values.map((value) => ({
      ...give(path, { transaction: { ...transaction, [field]: value } }, ...placesOf(field, value)),
      value: `transaction.${field}: ${shortly(value)}`,
    })),
  );
const placesOf = (field: string, value: unknown): readonly string[] => {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([, each]) => each === '' || each === 5)?.[0]
      : undefined;
  return [`/transaction/${field}${inner === undefined ? '' : `/${inner}`}`];
};

/** Every field of a transaction wrong at once, and no transaction: the schema is that of the commands above. */
const wrongTransaction = (path: string, body: object = {}): readonly BadRequest[] => [
  give(path, { ...body, transaction: null }, '/transaction'),
  {
    ...give(
      path,
      {
        ...body,
        transaction: {
          ...{ kind: 'payment', amount: 0, method: '', outcome: { code: '', text: '' }, fee: -1, settledAt: -1 },
          ...{ processorReference: '', metadata: { key: 5 }, currency: 'eur', capturableUntil: -1 },
        },
      },
      ...['kind', 'amount', 'currency', 'method', 'outcome/code', 'outcome/text', 'fee', 'settledAt'].map(
        (field) => `/transaction/${field}`,
      ),
      ...['/transaction/processorReference', '/transaction/metadata/key', '/transaction/capturableUntil'],
    ),
    value: 'a transaction of wrong fields',
  },
];

/** An extension of a deposit in progress. */
const extend = (body: unknown, ...names: readonly string[]): BadRequest =>
  give('{deposited}/simulate/extend', body, ...names);
const more = { kind: 'authorisation', amount: 10 };
const times = notNull(time);
const extensions: readonly BadRequest[] = [
  extend(undefined, ''),
  extend({}, ''),
  extend({ reason: { code: 'x' } }, ''),
  extend({ transaction: more }, ''),
  extend({ stay: {}, x: 1 }, '/stay/from', '/stay/to', '/x'),
  ...wrongValues('POST {deposited}/simulate/extend', ['POST', '{deposited}/simulate/extend'], {}, { stay }),
  ...wrongValues(
    'POST {deposited}/simulate/extend',
    ['POST', '{deposited}/simulate/extend'],
    { transaction: more },
    { depositAmount: amount },
  ),
  ...wrongValues(
    'POST {deposited}/simulate/extend',
    ['POST', '{deposited}/simulate/extend'],
    {},
    { guaranteedUntil: times, claimUntil: times },
  ),
  ...wrongReason('{deposited}/simulate/extend', { stay: { from: '2027-03-01', to: '2027-03-02' } }),
  ...wrongTransaction('{deposited}/simulate/extend', { depositAmount: 310 }),
  extend({ depositAmount: 310 }, '/transaction'),
  extend({ depositAmount: 300, transaction: more }, '/transaction'),
  extend({ stay: { from: '2027-03-01', to: '2027-03-02' }, transaction: more }, '/transaction'),
  extend({ depositAmount: 310, transaction: {} }, '/transaction/kind', '/transaction/amount'),
  extend({ depositAmount: 310, transaction: { ...more, kind: 'capture' } }, '/transaction/kind'),
  extend({ depositAmount: 310, transaction: { ...more, kind: 'release', method: 'card' } }, '/transaction/kind'),
  extend({ depositAmount: 290, transaction: more }, '/transaction/kind'),
  extend({ depositAmount: 310, transaction: { ...more, amount: 0.001 } }, '/transaction/amount'),
  extend({ depositAmount: 310, currency: 'CHF', transaction: more }, '/currency'),
];

/** The commands of the host, as partners give them in a test environment. */
export const badHostCommands: readonly BadRequest[] = [
  ...extensions,
  ...['{payment}', '{deposit}'].flatMap((path) => {
    const at = `${path}/simulate/set-payment-url`;
    const url = 'https://pay.example/1';
    return [
      ...wrongValues(`POST ${at}`, ['POST', at], {}, { paymentUrl }),
      ...wrongValues(`POST ${at}`, ['POST', at], { paymentUrl: url }, { paymentUrlExpiresAt }),
      give(at, {}, '/paymentUrl'),
    ];
  }),
  give('{payment}/simulate/succeed', { amount: 1 }, '/amount'),
  ...wrongValues(
    'POST {payment}/simulate/refund',
    ['POST', '{payment}/simulate/refund'],
    {},
    {
      amount: [0, -1, null, '5', [], true],
      reason,
    },
  ),
  ...wrongTransactions('{payment}/simulate/succeed-transaction', reported),
  ...wrongTransactions('{cashOut}/simulate/complete', {}),
  ...['{payment}', '{deposit}'].flatMap((path) =>
    ['succeed-transaction', 'fail-transaction', 'cancel-transaction'].flatMap((command) => [
      ...wrongTransaction(`${path}/simulate/${command}`),
      ...wrongReason(`${path}/simulate/${command}`),
    ]),
  ),
  ...['{payment}', '{deposit}'].flatMap((path) => {
    const at = `${path}/simulate/return-transaction`;
    return [
      ...wrongTransaction(at),
      ...wrongReason(at, { transaction: { amount: 1 } }),
      give(at, {}, '/transaction'),
      give(at, { transaction: { kind: 'charge' } }, '/transaction/kind', '/transaction/amount'),
    ];
  }),
  ...['{payment}', '{deposit}'].flatMap((path) => {
    const at = `${path}/simulate/update-chargeback`;
    const of = { processorReference: 'dp_1' };
    const told = (chargeback: unknown, ...names: readonly string[]) =>
      give(at, { chargeback }, ...names.map((name) => `/chargeback${name}`));
    return [
      give(at, {}, '/chargeback'),
      told({}, '/processorReference'),
      told(of, ''),
      told(null, ''),
      told({ ...of, stage: 'An inquiry' }, '/stage'),
      told({ ...of, stage: null, reason: 'fraud', respondBy: 1.5 }, '/stage', '/reason', '/respondBy'),
      told({ ...of, stage: 'inquiry', reportedAt: 1.5 }, '/reportedAt'),
      told({ ...of, reason: { code: '', text: '' } }, '/reason/code', '/reason/text'),
      told({ ...of, stage: 'inquiry', amount: 5 }, '/amount'),
      told({ processorReference: '', stage: 'inquiry' }, '/processorReference'),
      ...wrongReason(at, { chargeback: { ...of, stage: 'inquiry' } }),
    ];
  }),
  give(
    '{deposit}/simulate/update-chargeback',
    { chargeback: { processorReference: 'dp_1', cashOutId: 'another' } },
    '/chargeback/cashOutId',
  ),
  ...['succeed-transaction', 'fail-transaction', 'cancel-transaction'].map((command) =>
    give(
      `{deposit}/simulate/${command}`,
      { transaction: { kind: 'chargeback', amount: 5, cashOutId: 'another' } },
      '/transaction/cashOutId',
    ),
  ),
  give(
    '{deposit}/simulate/return-transaction',
    { transaction: { amount: 5, cashOutId: 'another' } },
    '/transaction/cashOutId',
  ),
  ...['{payment}/simulate/succeed', '{payment}/simulate/refund', '{deposit}/simulate/succeed-deposit'].flatMap((path) =>
    wrongTransaction(path),
  ),
  ...['complete', 'collect', 'refund'].flatMap((command) => wrongTransaction(`{cashOut}/simulate/${command}`)),
  ...['collect', 'refund'].flatMap((command) => wrongReason(`{cashOut}/simulate/${command}`)),
  give('{payment}/simulate/succeed-transaction', { transaction: {} }, '/transaction/kind', '/transaction/amount'),
  ...['complete', 'collect', 'refund'].map((command) =>
    give(`{cashOut}/simulate/${command}`, { amount: 0 }, '/amount'),
  ),
  give('{cashOut}/simulate/mark-irrecoverable', {}, '/document'),
  give('{cashOut}/simulate/mark-irrecoverable', { document: 'x'.repeat(257) }, '/document'),
  ...wrongReason('{cashOut}/simulate/mark-irrecoverable', { document: 'D-1' }),
  ...wrongValues('POST {deposit}/simulate/register-user', ['POST', '{deposit}/simulate/register-user'], {}, { name }),
  give(
    '{deposit}/simulate/register-user',
    { phone: '044', language: 'de_CH', email: 'x' },
    '/phone',
    '/language',
    '/email',
  ),
  give('{deposit}/simulate/succeed-deposit', { reason: { code: 'x' } }, '/reason'),
  ...['litigate', 'resume', 'fail', 'send', 'remind', 'warn-of-end'].flatMap((command) =>
    wrongReason(`{deposit}/simulate/${command}`),
  ),
  ...wrongValues(
    'POST {cashOut}/simulate/claim',
    ['POST', '{cashOut}/simulate/claim'],
    {},
    { claim: description, evidence },
  ),
  ...['succeed-deposit', 'set-term'].flatMap((command) =>
    wrongValues(
      `POST {deposit}/simulate/${command}`,
      ['POST', `{deposit}/simulate/${command}`],
      {},
      { guaranteedUntil: notNull(time), claimUntil: notNull(time) },
    ),
  ),
  give('{deposit}/simulate/set-term', {}, ''),
  ...wrongReason('{deposit}/simulate/set-term', { guaranteedUntil: 1 }),
  ...['{payment}/simulate/send', '{payment}/simulate/remind'].flatMap((path) => [
    ...wrongReason(path),
    give(path, { sendAt: 1 }, '/sendAt'),
  ]),
  ...['escrow', 'complete'].map((command) => give(`{cashOut}/simulate/${command}`, { x: 1 }, '/x')),
  give('{cashOut}/simulate/accept', { amount: 0 }, '/amount'),
  give('{cashOut}/simulate/settle', {}, '/amount'),
  give('{cashOut}/simulate/settle', { amount: -1, reason: {} }, '/amount', '/reason/code'),
  ...wrongReason('{cashOut}/simulate/settle', { amount: 1 }),
  ...wrongReason('{cashOut}/simulate/fail'),
  ...['warn-of-silence', 'pause-deadline', 'resume-deadline', 'accept'].flatMap((command) => [
    ...wrongReason(`{cashOut}/simulate/${command}`),
    give(`{cashOut}/simulate/${command}`, { answerBy: 1 }, '/answerBy'),
  ]),
];
