import { badHostCommands } from './bad-host-commands.ts';
import { type BadRequest, give, shortly, withBody, wrongValues } from './bad-request.ts';
import { badValues } from './bad-values.ts';

const { description, reference, currency, dueDate, name, reason, amount, stay, metadata, recipient, time } = badValues;
const { returnUrl, evidence, templateText, dueInDays } = badValues;
const change = (path: string, body: unknown, ...names: readonly string[]): BadRequest =>
  withBody('PATCH', path, body, ...names);
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
  change('{deposit}', { depositAmount: 5, currency: 'eur' }, '/currency'),
  change('{deposit}', { stay: { to: '2027-02-28' } }, '/stay'),
  change('{deposit}', { stay: { from: null } }, '/stay/from'),
  ...wrongValues('PATCH {deposited}', ['PATCH', '{deposited}'], {}, { description: notNull(description) }),
  // While it is in progress.
  ...[
    { name: 'Later' },
    { depositAmount: 5 },
    { depositAmount: 5, currency: 'CHF' },
    { dueDate: null },
    { returnUrl: null },
    { description: 'Later', name: 'Later' },
  ].map((body) => conflict('{deposited}', body)),
  ...changes('{template}', 'amount'),
  ...wrongValues(
    'PATCH {template}',
    ['PATCH', '{template}'],
    {},
    { name: templateText, description: templateText, dueInDays: notNull(dueInDays) },
  ),
  change('{template}', { amount: 5, currency: 'eur' }, '/currency'),
  change(
    '{depositTemplate}',
    {
      ...{ name: '', description: '', dueInDays: -1, depositAmount: 0, guaranteedForDays: 0, claimForDays: 401 },
      ...{ currency: 'eur', reference: '', metadata: { k: 5 } },
    },
    ...['/name', '/description', '/dueInDays', '/depositAmount', '/guaranteedForDays', '/currency', '/reference'],
    '/metadata/k',
  ),
  change('{depositTemplate}', { claimForDays: 1.5, metadata: 5 }, '/claimForDays', '/metadata'),
  change('{depositTemplate}', { guaranteedForDays: 401 }, '/guaranteedForDays'),
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
  ...['{payment}/give-evidence', '{deposit}/give-evidence'].flatMap((path) => [
    ...wrongValues(`POST ${path}`, ['POST', path], { processorReference: 'dp_1' }, { evidence: [[], ...evidence] }),
    give(path, {}, '/processorReference', '/evidence'),
    give(path, { processorReference: 'dp_1', evidence: [{ id: 'f1', kind: 'photo' }] }, '/processorReference'),
  ]),
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
  ...['{template}', '{depositTemplate}'].map((path) => withBody('DELETE', path, { x: 1 }, '/x')),
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
  // Which types there are depends on the object.
  give('webhooks/test', {}, '/objectName'),
  give('webhooks/test', { ...webhook, data: {} }, '/data'),
];

export const badCommands: readonly BadRequest[] = [
  ...ofPartners,
  ...badHostCommands,
  ...batches,
  ...uploads,
  ...webhooks,
];
