import { type BadRequest, shortly, wrongBody, wrongValues } from './bad-request.ts';
import { badValues } from './bad-values.ts';

const { description, reference, currency, dueDate, name, reason, paymentUrl, amount, stay, metadata, recipient, time } =
  badValues;
const { returnUrl, paymentUrlExpiresAt, evidence, templateText, dueInDays } = badValues;
const withBody = (method: string, path: string, body: unknown, ...names: readonly string[]): BadRequest => ({
  ...wrongBody(`${method} ${path} with`, method, path, body, ...names),
  value: shortly(body),
});
const change = (path: string, body: unknown, ...names: readonly string[]): BadRequest =>
  withBody('PATCH', path, body, ...names);
const give = (path: string, body: unknown, ...names: readonly string[]): BadRequest =>
  withBody('POST', path, body, ...names);
/** A change that the state does not allow. */
const conflict = (path: string, body: unknown): BadRequest => ({
  wrong: `PATCH ${path} with`,
  value: shortly(body),
  method: 'PATCH',
  path,
  request: { body },
  status: 409,
  code: 'wrong_state',
});
const notNull = (values: readonly unknown[]): readonly unknown[] => values.filter((value) => value !== null);
const removal = (field: string): string => `{"email":"guest@example.com","${field}":null}`;
/** A change is merged, so these values are valid in it. */
const isMerged = (value: unknown): boolean =>
  value === null ||
  ['{"k":null}', '{"name":"Ann"}', ...['name', 'phone', 'language'].map(removal)].includes(JSON.stringify(value));
const unmerged = (values: readonly unknown[]): readonly unknown[] => values.filter((value) => !isMerged(value));

const changes = (path: string, sum: string): readonly BadRequest[] =>
  wrongValues(
    `PATCH ${path}`,
    ['PATCH', path],
    {},
    {
      name,
      description: notNull(description),
      [sum]: amount.filter((value) => value !== 0.001 && value !== 120.555 && value !== 1e-7),
      reference: notNull(reference),
      metadata: unmerged(metadata),
    },
  );
const dates = (path: string): readonly BadRequest[] =>
  wrongValues(
    `PATCH ${path}`,
    ['PATCH', path],
    {},
    {
      dueDate: notNull(dueDate),
      sendAt: notNull(time),
      recipient: [null, ...unmerged(recipient)],
      returnUrl: notNull(returnUrl),
      cancelUrl: notNull(returnUrl),
    },
  );

const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 'v']));

const ofPartners: readonly BadRequest[] = [
  ...changes('{payment}', 'amount'),
  ...dates('{payment}'),
  ...wrongValues('PATCH {payment}', ['PATCH', '{payment}'], { amount: 5 }, { currency }),
  change('{payment}', undefined, ''),
  change('{payment}', [], ''),
  change('{payment}', {}, ''),
  change('{payment}', { status: 'payed' }, '/status', ''),
  change('{payment}', { templateId: 'x' }, '/templateId', ''),
  change('{payment}', { currency: 'CHF' }, '/amount'),
  // It keeps its currency, EUR.
  change('{payment}', { amount: 0.001 }, '/amount'),
  change('{payment}', { amount: 1e10 }, '/amount'),
  change('{payment}', { amount: 1.5, currency: 'JPY' }, '/amount'),
  change('{payment}', { recipient: { email: null } }, '/recipient/email'),
  // It already has a pair.
  {
    ...change('{payment}', { metadata: many }, '/metadata'),
    wrong: 'PATCH {payment} with',
    value: '20 pairs of metadata more',
  },
  ...changes('{deposit}', 'depositAmount'),
  ...dates('{deposit}'),
  ...wrongValues(
    'PATCH {deposit}',
    ['PATCH', '{deposit}'],
    {},
    {
      stay: stay.filter((value) => value !== null && !(typeof value === 'object' && Object.keys(value).length < 2)),
    },
  ),
  change('{deposit}', { amount: 5 }, '/amount', ''),
  change('{deposit}', { stay: { to: '2027-02-28' } }, '/stay'),
  change('{deposit}', { stay: { from: null } }, '/stay/from'),
  ...wrongValues('PATCH {deposited}', ['PATCH', '{deposited}'], {}, { description: notNull(description) }),
  // While it is in progress.
  ...[
    { name: 'Later' },
    { depositAmount: 5 },
    { depositAmount: 5, currency: 'CHF' },
    { dueDate: null },
    { recipient: { name: 'Bob' } },
    { recipient: { phone: '+41441234567' } },
    { returnUrl: null },
    { recipient: { name: null, email: 'bob@example.com' } },
    { description: 'Later', name: 'Later' },
  ].map((body) => conflict('{deposited}', body)),
  ...changes('{template}', 'amount'),
  ...wrongValues(
    'PATCH {template}',
    ['PATCH', '{template}'],
    {},
    { name: templateText, description: templateText, dueInDays: notNull(dueInDays) },
  ),
  change('{template}', { variables: ['guest'] }, '/variables', ''),
  change('{payment}', { variables: { guest: 'Ann' } }, '/variables', ''),
  change('{template}', { depositAmount: 5 }, '/depositAmount', ''),
  change('{template}', { recipient: null }, '/recipient', ''),
  ...wrongValues(
    'PATCH {cashOut}',
    ['PATCH', '{cashOut}'],
    {},
    {
      description: notNull(description),
      reference: notNull(reference),
      metadata: unmerged(metadata),
    },
  ),
  change('{cashOut}', { amount: 5 }, '/amount', ''),
  ...['{payment}/cancel', '{deposit}/cancel', '{deposit}/finish', '{cashOut}/cancel', '{cashOut}/deny'].flatMap(
    (path) => [
      ...wrongValues(`POST ${path}`, ['POST', path], {}, { reason }),
      give(path, { why: 'so' }, '/why'),
      give(path, [], ''),
    ],
  ),
  ...['check-in', 'check-out'].map((command) => give(`{deposit}/${command}`, { reason: { code: 'x' } }, '/reason')),
  ...wrongValues('POST {cashOut}/offer', ['POST', '{cashOut}/offer'], { amount: 1 }, { amount, description, evidence }),
  ...wrongValues('POST {cashOut}/deny', ['POST', '{cashOut}/deny'], {}, { evidence }),
  change('{cashOut}', { evidence: [] }, '/evidence', ''),
  give('{cashOut}/offer', undefined, ''),
  give('{cashOut}/offer', { reason: { code: 'x' } }, '/amount', '/reason'),
  ...wrongValues(
    'a cash-out',
    ['POST', '{deposited}/cash-outs'],
    { amount: 1 },
    { amount, description, reference, metadata, evidence },
  ),
  give('{deposited}/cash-outs', {}, '/amount'),
  ...['depositId', 'currency', 'recipient', 'claim', 'reason', 'status', 'answerBy', 'pausedAt'].map((field) =>
    give('{deposited}/cash-outs', { amount: 1, [field]: 'x' }, `/${field}`),
  ),
  {
    ...change('{template}', undefined),
    method: 'DELETE',
    wrong: 'DELETE {template} with',
    value: '{"x":1}',
    request: { body: { x: 1 } },
    names: ['/x'],
  },
];

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
    currency: ['EUR'],
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
const ofHosts: readonly BadRequest[] = [
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
  ...wrongValues(
    'POST {payment}/simulate/fail-transaction',
    ['POST', '{payment}/simulate/fail-transaction'],
    {},
    { reason },
  ),
  ...['succeed-transaction', 'fail-transaction', 'cancel-transaction'].flatMap((command) => [
    ...wrongTransactions(`{payment}/simulate/${command}`, reported),
    ...wrongTransactions(`{deposit}/simulate/${command}`, reported),
  ]),
  ...wrongTransactions('{payment}/simulate/succeed', {}),
  ...wrongTransactions('{payment}/simulate/refund', {}),
  ...wrongTransactions('{deposit}/simulate/succeed-deposit', {}),
  ...['complete', 'collect', 'refund'].flatMap((command) => wrongTransactions(`{cashOut}/simulate/${command}`, {})),
  give('{payment}/simulate/succeed-transaction', { transaction: {} }, '/transaction/kind', '/transaction/amount'),
  ...['complete', 'collect', 'refund'].map((command) =>
    give(`{cashOut}/simulate/${command}`, { amount: 0 }, '/amount'),
  ),
  give('{cashOut}/simulate/mark-irrecoverable', {}, '/document'),
  give('{cashOut}/simulate/mark-irrecoverable', { document: 'x'.repeat(257) }, '/document'),
  ...wrongValues('POST {deposit}/simulate/register-user', ['POST', '{deposit}/simulate/register-user'], {}, { name }),
  give(
    '{deposit}/simulate/register-user',
    { phone: '044', language: 'de_CH', email: 'x' },
    '/phone',
    '/language',
    '/email',
  ),
  give('{deposit}/simulate/succeed-deposit', { reason: { code: 'x' } }, '/reason'),
  ...['succeed-transaction', 'fail-transaction', 'cancel-transaction', 'litigate', 'resume', 'fail'].flatMap(
    (command) => [
      give(`{deposit}/simulate/${command}`, { reason: 'late' }, '/reason'),
      give(`{deposit}/simulate/${command}`, { x: 1 }, '/x'),
    ],
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
  give('{deposit}/simulate/set-term', { guaranteedUntil: 1, reason: 'late', x: 1 }, '/reason', '/x'),
  ...['{payment}/simulate/send', '{payment}/simulate/remind'].flatMap((path) => [
    give(path, { reason: 'late' }, '/reason'),
    give(path, { sendAt: 1 }, '/sendAt'),
  ]),
  ...['send', 'remind', 'warn-of-end'].flatMap((command) => [
    give(`{deposit}/simulate/${command}`, { reason: 'late' }, '/reason'),
    give(`{deposit}/simulate/${command}`, { x: 1 }, '/x'),
  ]),
  ...['accept', 'escrow', 'complete'].map((command) => give(`{cashOut}/simulate/${command}`, { x: 1 }, '/x')),
  give('{cashOut}/simulate/settle', {}, '/amount'),
  give('{cashOut}/simulate/settle', { amount: -1, reason: {} }, '/amount', '/reason/code'),
  ...['warn-of-silence', 'pause-deadline', 'resume-deadline', 'accept'].flatMap((command) => [
    give(`{cashOut}/simulate/${command}`, { reason: 'late' }, '/reason'),
    give(`{cashOut}/simulate/${command}`, { answerBy: 1 }, '/answerBy'),
  ]),
  give('{cashOut}/simulate/fail', { reason: { code: '' } }, '/reason/code'),
];

/** Bodies of batches that are refused as a whole. */
const batches: readonly BadRequest[] = ['payment-requests', 'security-deposits']
  .flatMap((path) => [`${path}/batch`, `${path}/batch/cancel`])
  .flatMap((path) =>
    [
      [undefined, ''],
      [[], ''],
      [{}, '/items'],
      [{ items: null }, '/items'],
      [{ items: {} }, '/items'],
      [{ items: [] }, '/items'],
      [{ items: Array.from({ length: 101 }, () => ({})) }, '/items'],
      [{ items: [{}], dryRun: true }, '/dryRun'],
    ].map(([body, name]): BadRequest => {
      const given = give(path, body, name as string);
      return { ...given, request: { ...given.request, headers: { 'idempotency-key': 'bad' } } };
    }),
  );

/** What an upload is asked for: a file without an id. */
const file = { kind: 'photo', contentType: 'image/jpeg', size: 5 };
const uploads: readonly BadRequest[] = [
  ...wrongValues('POST evidence', ['POST', 'evidence'], file, {
    kind: [null, 5, '', 'Photo', 'x'.repeat(33)],
    name: [null, 5, '', 'a\u0000', 'x'.repeat(101)],
    contentType: [null, 5, '', 'jpeg', 'image/jpeg; q=1'],
    size: [null, '5', -1, 1.5],
    sha256: [null, 5, '', 'A'.repeat(64)],
    id: ['f1'],
  }),
  give('evidence', undefined, ''),
  give('evidence', [], ''),
  give('evidence', {}, '/kind', '/contentType', '/size'),
];

const webhook = { objectName: 'RequestPayment', type: 'payed' };
const webhooks: readonly BadRequest[] = [
  ...wrongValues('POST webhooks/test', ['POST', 'webhooks/test'], webhook, {
    objectName: [null, 5, '', 'CashOut', 'constructor', '__proto__', []],
    type: [null, 5, '', 'paid', 'deletion', 'constructor', '__proto__', []],
    endpointId: [null, 5, '', 'none', 'a\u0000b', 'x'.repeat(257), {}],
  }),
  give('webhooks/test', undefined, ''),
  give('webhooks/test', [], ''),
  give('webhooks/test', {}, '/objectName', '/type'),
  give('webhooks/test', { ...webhook, data: {} }, '/data'),
];

/** @internal */
export const badCommands: readonly BadRequest[] = [
  ...ofPartners,
  ...ofHosts,
  ...extensions,
  ...batches,
  ...uploads,
  ...webhooks,
];
