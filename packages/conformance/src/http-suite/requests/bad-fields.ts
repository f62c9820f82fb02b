import { type BadRequest, shortly, wrongBody, wrongPayment, wrongValues } from './bad-request.ts';
import { badValues } from './bad-values.ts';
import { deposit, payment } from './client.ts';

/** The literal digits: JavaScript would round the number. */
const written = (number: string): BadRequest => ({
  ...wrongPayment('the amount, as it is written,', {}, '/amount'),
  value: number,
  request: { body: JSON.stringify({ ...payment, amount: 0 }).replace('"amount":0', `"amount":${number}`) },
});

/** Fields that partnerkit or the host sets, and fields of other objects. */
const notTaken = (what: string, path: string, body: object, names: readonly string[]): readonly BadRequest[] =>
  names.map((name) => ({
    ...wrongBody(`${what} with`, 'POST', path, { ...body, [name]: 'x' }, `/${name}`),
    value: name,
  }));
const ofEach = [
  'id',
  'status',
  'version',
  'accountId',
  'environment',
  'createdAt',
  'reason',
  'constructor',
  'toString',
];

const {
  stay,
  paymentUrl: _url,
  paymentUrlExpiresAt: _expiry,
  evidence: _evidence,
  reason: _reason,
  time: sendAt,
  ...others
} = badValues;
const { amount, templateText, dueInDays, termDays, ...ofBoth } = others;
const {
  recipient: _recipient,
  templateId: _id,
  variables: _variables,
  dueDate: _due,
  name,
  returnUrl,
  ...ofTemplates
} = ofBoth;
const ofPayments = { ...ofBoth, cancelUrl: returnUrl };

export const badFields: readonly BadRequest[] = [
  ...wrongValues('a payment request', ['POST', 'payment-requests'], payment, { ...ofPayments, amount, sendAt }),
  ...['120.0000000000000000001', '0.0000000000000001', '9999999999.9900000001', '1200000000000000000001e-19', '1e400']
    .concat('-0', '1e-400')
    .map(written),
  wrongPayment('no name', { name: undefined }, '/name'),
  wrongPayment('no recipient', { recipient: undefined }, '/recipient'),
  wrongPayment('an amount finer than its currency', { amount: 1.5, currency: 'JPY' }, '/amount'),
  wrongPayment('an amount alone', { currency: undefined }, '/currency'),
  wrongPayment('a currency alone', { amount: undefined }, '/amount'),
  wrongPayment('no sum', { amount: undefined, currency: undefined }, '/amount'),
  ...notTaken('a payment request', 'payment-requests', payment, [
    ...ofEach,
    ...[
      'depositAmount',
      'refundedAmount',
      'paymentUrl',
      'paymentUrlExpiresAt',
      'stay',
      'sentAt',
      'createdBy',
      'hasOwnProperty',
    ],
  ]),
  wrongPayment(
    'several wrong fields',
    { name: '', amount: 'a', recipient: {}, dueDate: 'soon', reference: '', metadata: { k: 5 }, x: 1 },
    ...['/name', '/amount', '/recipient/email', '/dueDate', '/reference', '/metadata/k', '/x'],
  ),
  wrongPayment(
    'several wrong fields, nested ones, and an amount finer than its currency',
    { name: '', amount: 0.001, recipient: { email: 'guest', name: '', x: 1 } },
    ...['/name', '/recipient/email', '/recipient/name', '/recipient/x', '/amount'],
  ),
  wrongPayment(
    'nothing but a wrong field and a currency',
    { name: undefined, amount: undefined, recipient: { email: 'guest' } },
    ...['/recipient/email', '/name', '/amount'],
  ),
  wrongPayment('a negative amount alone', { amount: -1, currency: undefined }, '/amount', '/currency'),
  wrongPayment('an invalid amount, without its currency', { amount: 'a', currency: undefined }, '/amount', '/currency'),
  wrongPayment('no name and no sum', { name: undefined, amount: undefined, currency: undefined }, '/name', '/amount'),
  wrongPayment(
    '40 unknown fields: 32 of them',
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x${index}`, 1])),
    ...Array.from({ length: 32 }, (_, index) => `/x${index}`),
  ),
  wrongPayment('an unknown field of 100 characters: 64 of them', { ['x'.repeat(100)]: 1 }, `/${'x'.repeat(64)}`),

  ...wrongValues('a security deposit', ['POST', 'security-deposits'], deposit, {
    stay,
    depositAmount: amount,
    returnUrl,
    cancelUrl: returnUrl,
    sendAt,
  }),
  wrongBody(
    'a security deposit with every field wrong that a payment request has, too,',
    'POST',
    'security-deposits',
    {
      ...{
        name: '',
        description: '',
        depositAmount: 0,
        currency: 'eur',
        templateId: '',
        variables: 5,
        dueDate: 'soon',
      },
      recipient: { email: 'guest', name: '', phone: '044', language: 'de_CH' },
      ...{ reference: '', metadata: 5 },
    },
    ...['/name', '/description', '/depositAmount', '/currency', '/recipient/email', '/recipient/name'],
    ...['/recipient/phone', '/recipient/language', '/templateId', '/variables', '/dueDate', '/reference', '/metadata'],
  ),
  wrongBody(
    'a security deposit with the recipient null',
    'POST',
    'security-deposits',
    { ...deposit, recipient: null },
    '/recipient',
  ),
  ...notTaken('a security deposit', 'security-deposits', deposit, [
    ...ofEach,
    ...['cashOuts', 'registeredAt', 'checkedInAt', 'paymentUrl', 'guaranteedUntil', 'claimUntil', 'remindedAt'],
    ...['guaranteedForDays', 'claimForDays'],
  ]),
  wrongBody(
    'a security deposit with the amount of a payment request',
    'POST',
    'security-deposits',
    { ...deposit, depositAmount: undefined, amount: 5 },
    ...['/amount', '/depositAmount'],
  ),

  ...(['payment-templates', 'security-deposit-templates'] as const).flatMap((path) => {
    const what = `a template of ${path}`;
    const sum = path === 'payment-templates' ? 'amount' : 'depositAmount';
    const body = { name: 'Weekend', [sum]: 5, currency: 'EUR' };
    return [
      ...wrongValues(what, ['POST', path], body, { ...ofTemplates, name, dueInDays, [sum]: amount }),
      ...wrongValues(what, ['POST', path], body, { name: templateText, description: templateText }),
      ...notTaken(what, path, body, [...ofEach, 'recipient', 'dueDate', 'templateId', 'stay']),
      wrongBody(`${what} without a name`, 'POST', path, { ...body, name: undefined }, '/name'),
      wrongBody(`${what} with an amount alone`, 'POST', path, { name: 'Weekend', [sum]: 5 }, '/currency'),
      wrongBody(`${what} with a currency alone`, 'POST', path, { name: 'Weekend', currency: 'EUR' }, `/${sum}`),
      wrongBody(
        `${what} with several wrong fields`,
        'POST',
        path,
        { name: '', description: '', [sum]: 1.5, currency: 'JPY' },
        ...['/name', '/description', `/${sum}`],
      ),
    ];
  }),

  ...wrongValues(
    'a template of security-deposit-templates',
    ['POST', 'security-deposit-templates'],
    { name: 'Weekend' },
    { guaranteedForDays: termDays, claimForDays: termDays },
  ),
  wrongBody(
    'a template of payment-templates with a term',
    'POST',
    'payment-templates',
    { name: 'Weekend', guaranteedForDays: 1, claimForDays: 1 },
    ...['/guaranteedForDays', '/claimForDays'],
  ),

  ...['payment-requests', 'security-deposits', 'payment-templates', 'security-deposit-templates'].flatMap((path) =>
    [undefined, null, 5, '"text"'].map((body) => ({
      ...wrongBody(`POST ${path} with the body`, 'POST', path, body === null ? 'null' : body, ''),
      value: typeof body === 'string' ? body : shortly(body),
    })),
  ),
];
