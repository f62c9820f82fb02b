import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createWorld } from './support/world.ts';

const { document, send, fill } = await createWorld();

const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
ajv.addSchema({ $id: 'document', components: document.components });

interface WithBody {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}
const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, given]) => ({
    template,
    method: method.toUpperCase(),
    ...(given as unknown as WithBody),
  })),
);

/** The operation, and a call of it with a body. */
const operationOf = (operationId: string) => {
  const found = operations.find((each) => each.operationId === operationId);
  const schema = found?.requestBody?.content['application/json']?.schema;
  if (!found || !schema) throw new TypeError(`${operationId} is not in the document.`);
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const { template, method } = found;
  return {
    allows: ajv.compile(JSON.parse(text)),
    call: async (values: Readonly<Record<string, string>>, body: object) => {
      const target = template.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');
      const headers = { 'content-type': 'application/json' };
      return send({ method, target, headers, body: JSON.stringify(body) });
    },
  };
};

const payment = { name: 'Stay', amount: 20, currency: 'EUR', recipient: { email: 'guest@example.com' } };
const withLanguage = (language: string) => ({ ...payment, recipient: { ...payment.recipient, language } });
const hook = { url: 'https://partner.example/hooks', events: ['payed'] };
const charge = { kind: 'charge', amount: 20 };
const authorisation = { kind: 'authorisation', amount: 20 };
const later = { capturableUntil: 4_102_444_800 };
const photo = { id: 'f1', kind: 'photo' };
/** The path below which `fill` makes a paid deposit with a cash-out. */
const cashOuts = 'cash-outs';

interface Rule {
  readonly operationId: string;
  /** What the body is made for. @defaultValue the path of the operation */
  readonly on?: string;
  /** A body that breaks the rule. */
  readonly wrong: object | ((values: Readonly<Record<string, string>>) => object);
  /** The pointers that the host names. */
  readonly pointer: string;
  /** A body that keeps the rule. */
  readonly right: object | ((values: Readonly<Record<string, string>>) => object);
}

const created = (wrong: object, pointer: string, right: object = {}): Rule => ({
  operationId: 'createPaymentRequest',
  wrong: { ...payment, ...wrong },
  pointer,
  right: { ...payment, ...right },
});
const reported = (transaction: object, pointer: string, right: object): Rule => ({
  operationId: 'simulateSucceedTransactionSecurityDeposit',
  wrong: { transaction },
  pointer,
  right: { transaction: right },
});

const rules: Readonly<Record<string, Rule>> = {
  'a currency is one of ISO 4217': created({ currency: 'XXX' }, '/currency', { currency: 'CHF' }),
  'an amount has at most 12 digits': created({ amount: 1e12 }, '/amount', { amount: 9_999_999_999.99 }),
  'a name has no control character': created({ name: 'Stay\u0007' }, '/name', { name: 'Séjour – 滞在' }),
  'nor has one of the range C1': created({ name: 'Stay\u0085' }, '/name'),
  'a description has no control character but tabs and new lines': created(
    { description: 'a\u001bb' },
    '/description',
    {
      description: 'a\tb\r\nc',
    },
  ),
  'a key of metadata has no control character': created({ metadata: { 'a\tb': 'c' } }, '/metadata/a\tb', {
    metadata: { 'a b': 'c\td' },
  }),
  'a language is a tag of BCP 47': created(withLanguage('de_CH'), '/recipient/language', withLanguage('zh-Hant-TW')),
  'its parts have an order': created(withLanguage('de-CH-Latn'), '/recipient/language', withLanguage('sl-IT-nedis')),
  'it is no sentence': created(withLanguage('in German'), '/recipient/language', withLanguage('de-u-co-phonebk-x-own')),
  'a URL to return to has no credentials': created({ returnUrl: 'https://me:secret@pay.example/' }, '/returnUrl', {
    returnUrl: 'https://pay.example/@me?to=a@b#c@d',
  }),
  'variables go with a template': created({ variables: { guest: 'Ann' } }, '/variables'),
  'only an authorisation ends by itself': reported({ ...charge, ...later }, '/transaction/capturableUntil', {
    ...authorisation,
    ...later,
  }),
  'only what takes back a collection names a cash-out': {
    operationId: 'simulateSucceedTransactionSecurityDeposit',
    on: cashOuts,
    wrong: ({ cashOutId }) => ({ transaction: { ...charge, cashOutId } }),
    pointer: '/transaction/cashOutId',
    right: ({ cashOutId }) => ({ transaction: { ...charge, kind: 'chargeback', cashOutId } }),
  },
  'the payment of a deposit by a charge has no end': {
    operationId: 'simulateSucceedDepositSecurityDeposit',
    wrong: { transaction: { kind: 'charge', ...later } },
    pointer: '/transaction/capturableUntil',
    right: { transaction: later },
  },
  'a returned debit has no end': {
    operationId: 'simulateReturnTransactionSecurityDeposit',
    on: cashOuts,
    wrong: { transaction: { amount: 20, ...later } },
    pointer: '/transaction/capturableUntil',
    right: { transaction: { amount: 20 } },
  },
  'a transaction that extends a deposit goes with its new amount': {
    operationId: 'simulateExtendSecurityDeposit',
    on: cashOuts,
    wrong: { guaranteedUntil: 4_102_444_800, transaction: authorisation },
    pointer: '/transaction',
    right: { depositAmount: 320, transaction: authorisation },
  },
  'it raises or lowers what is secured': {
    operationId: 'simulateExtendSecurityDeposit',
    on: cashOuts,
    wrong: { depositAmount: 320, transaction: { kind: 'capture', amount: 20 } },
    pointer: '/transaction/kind',
    right: { depositAmount: 320, transaction: { kind: 'charge', amount: 20 } },
  },
  'the name of a file has no control character': {
    operationId: 'createCashOut',
    wrong: { amount: 1, evidence: [{ ...photo, name: 'a\u0000' }] },
    pointer: '/evidence/0/name',
    right: { amount: 1, evidence: [{ ...photo, name: 'Küche.jpg' }] },
  },
  'an event type is one of its object': {
    operationId: 'sendTestWebhook',
    wrong: { objectName: 'ModelRequestPayment', type: 'payed' },
    pointer: '/type',
    right: { objectName: 'RequestPayment', type: 'payed' },
  },
  'the URL of an endpoint has no credentials': {
    operationId: 'createEndpoint',
    wrong: { ...hook, url: 'https://me:secret@partner.example/' },
    pointer: '/url',
    right: { ...hook, url: 'HTTPS://partner.example/@me?to=a@b' },
  },
  'nor a fragment': {
    operationId: 'createEndpoint',
    wrong: { ...hook, url: 'https://partner.example/hooks#a' },
    pointer: '/url',
    right: { ...hook, url: 'https://partner.example:8443?a' },
  },
  'the name of an API key has no control character': {
    operationId: 'createApiKey',
    wrong: { name: 'Till\n' },
    pointer: '/name',
    right: { name: 'Till' },
  },
  'a test event is of an object of the platform': {
    operationId: 'sendTestEvent',
    wrong: { objectName: 'Invoice', type: 'payed', data: {} },
    pointer: '/objectName',
    right: { objectName: 'RequestSecurityDeposit', type: 'finish', data: {} },
  },
};

/** What a path or `on` names; a cash-out also under the name that bodies have for it. */
const madeFor = async (rule: Rule, template: string) => {
  if (rule.on !== cashOuts) return fill(template);
  const { organisationId = '', depositId = '', id = '' } = await fill(cashOuts);
  return { organisationId, id: depositId, cashOutId: id };
};

test.each(Object.entries(rules))('%s: the schema and the host refuse the same body', async (_name, rule) => {
  const { operationId, wrong, pointer, right } = rule;
  const { template = '' } = operations.find((each) => each.operationId === operationId) ?? {};
  const { allows, call } = operationOf(operationId);
  const values = await madeFor(rule, template);
  const bodyOf = (given: Rule['right']) => (typeof given === 'function' ? given(values) : given) as object;

  expect(allows(bodyOf(wrong)), 'what the schema says of the wrong body').toBe(false);
  const refused = await call(values, bodyOf(wrong));
  const { errors = [] } = JSON.parse(refused.body) as { readonly errors?: readonly { readonly pointer: string }[] };
  expect([refused.status, errors.map((each) => each.pointer)], refused.body).toEqual([400, [pointer]]);

  expect([allows(bodyOf(right)), allows.errors], 'what the schema says of the right body').toEqual([true, null]);
  // The data of a test event has rules of the object.
  const accepted = await call(values, bodyOf(right));
  const others = operationId === 'sendTestEvent' ? /"pointer":"\/data\// : /^$/;
  expect(accepted.status < 300 || others.test(accepted.body), accepted.body).toBe(true);
});

test('the schema of a language allows what ECMA-402 knows as a tag, but for what is there twice', () => {
  const { allows } = operationOf('createPaymentRequest');
  const isTag = (tag: string): boolean => {
    try {
      return Intl.getCanonicalLocales(tag).length === 1;
    } catch {
      return false;
    }
  };
  const parts = ['de', 'deu', 'deutsch', 'germ', 'Latn', 'CH', '419', '1996', 'nedis', 'u', 'x', 'a', 'co', '1', ''];
  const tags = parts.flatMap((one) =>
    parts.flatMap((two) => parts.flatMap((three) => [[one, two, three].join('-'), [one, two].join('-'), one])),
  );
  const differing = new Set(tags.filter((tag) => tag.length > 1 && isTag(tag) !== allows(withLanguage(tag))));
  // Both refuse a tag that the schema alone would not: no tag of these parts is refused by the schema alone.
  expect([...differing].filter((tag) => isTag(tag))).toEqual([]);
  expect(tags.filter((tag) => isTag(tag)).length).toBeGreaterThan(100);
});
