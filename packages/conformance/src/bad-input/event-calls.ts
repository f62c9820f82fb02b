import { type BadCall, identifierRule, noIdentifiers, noTimes } from './bad-call.ts';

const sound = { accountId: 'acc_own', objectName: 'RequestPayment', type: 'payed', data: { id: 'p2' } };
type Change = Readonly<Record<string, unknown>>;

/** A single event, and the same as the second of two. */
const calls = (change: Change, key: Change = {}): BadCall['calls'] => {
  const event = { ...sound, ...change };
  return {
    'events.publish': () => [event, { tx: 'new', ...key }],
    'events.tryPublish': () => [event, { tx: 'new', ...key }],
    'events.publishMany': () => [[sound, { ...event, ...key }], { tx: 'new' }],
  };
};
const invalid = (input: string, change: Change, detail: string, key?: Change): BadCall => ({
  group: 'event',
  input,
  calls: calls(change, key),
  code: 'invalid_event',
  detail,
});

const types = '; use one of creation, update, payed, cancel, transaction_failed.';
const names = '; use one of RequestPayment, RequestSecurityDeposit.';
const noType = `type: RequestPayment has no type of that name${types}`;
const pairs: readonly (readonly [input: string, change: Change, detail: string])[] = [
  [
    'an unknown objectName',
    { objectName: 'Payment' },
    "objectName: there is no object 'Payment'; did you mean 'RequestPayment'?",
  ],
  ['the objectName `__proto__`', { objectName: '__proto__' }, `objectName: there is no object '__proto__'${names}`],
  [
    'the objectName `constructor`',
    { objectName: 'constructor' },
    `objectName: there is no object 'constructor'${names}`,
  ],
  ['no objectName', { objectName: undefined }, `objectName: there is no object of that name${names}`],
  ['an unknown type', { type: 'paid' }, "type: RequestPayment has no type 'paid'; did you mean 'payed'?"],
  ['a type of another object', { type: 'deletion' }, `type: RequestPayment has no type 'deletion'${types}`],
  ['the type `length`', { type: 'length' }, `type: RequestPayment has no type 'length'${types}`],
  ['a list for the type', { type: ['payed'] }, noType],
  ['a type with digits, which may be a secret', { type: 'pks_4f3a' }, noType],
  ['a field that is misspelt', { occuredAt: 7 }, "event: there is no field 'occuredAt'; did you mean 'occurredAt'?"],
  [
    'an objectName of the specification that no object of the kit has',
    { objectName: 'ModelRequestPayment', type: 'creation' },
    `objectName: there is no object 'ModelRequestPayment'${names}`,
  ],
  [
    'an object whose schema is asynchronous',
    { objectName: 'RequestSecurityDeposit', type: 'creation' },
    'data: the schema threw; it must be synchronous.',
  ],
];

const nested = (levels: number): unknown => {
  let value: unknown = 'SECRET';
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
};
const circular: Record<string, unknown> = {};
circular['self'] = circular;

const halfPair = 'holds half of a surrogate pair; cut text between characters, or use toWellFormed().';
const metas: readonly (readonly [input: string, meta: unknown, detail: string])[] = [
  ['NaN', Number.NaN, 'data.meta: NaN has no form in JSON.'],
  ['Infinity', Number.POSITIVE_INFINITY, 'data.meta: Infinity has no form in JSON.'],
  ['a BigInt', 7n, 'data.meta: a BigInt has no form in JSON; publish a number or a text.'],
  ['a Date', new Date(0), 'data.meta: a Date has no form in JSON; publish a number or a text.'],
  ['a function', () => 'SECRET', 'data.meta: a function has no form in JSON.'],
  ['a symbol', Symbol('SECRET'), 'data.meta: a symbol has no form in JSON.'],
  ['a Map', new Map([['SECRET', 'SECRET']]), 'data.meta: only plain objects can be published.'],
  ['an object with toJSON', { toJSON: () => 'SECRET' }, 'data.meta.toJSON: a function has no form in JSON.'],
  ['half of a surrogate pair', 'SECRET\ud83c', `data.meta: the text ${halfPair}`],
  ['half of a surrogate pair in a key', { a: [{ '\udfe1SECRET': 1 }] }, `data.meta.a.0: a key ${halfPair}`],
  ['a hole in a list', ['SECRET', undefined], 'data.meta.1: undefined has no form in JSON.'],
];

const datas: readonly (readonly [input: string, data: unknown, detail: string])[] = [
  ['no data', undefined, 'data: Invalid input: expected object, received undefined'],
  ['null for the data', null, 'data: Invalid input: expected object, received null'],
  ['a text for the data', 'SECRET', 'data: Invalid input: expected object, received string'],
  ['a list for the data', ['SECRET'], 'data: Invalid input: expected object, received array'],
  ['data without an id', { status: 'SECRET' }, 'data.id: Invalid input: expected string, received undefined'],
  ['a number for data.id', { id: 7 }, 'data.id: Invalid input: expected string, received number'],
  [
    'data outside the schema',
    { id: 'p2', status: { SECRET: 'SECRET' } },
    'data.status: Invalid input: expected string, received object',
  ],
  ...metas.map(([input, meta, detail]) => [`${input} in the data`, { id: 'p2', meta }, detail] as const),
];

const tx = "tx: hand over your open transaction, or 'new' when there is none.";

/** Bad calls of `kit.events`. */
export const eventCalls: readonly BadCall[] = [
  ...Object.entries(noIdentifiers).flatMap(([what, value]) => [
    invalid(`${what} for the account`, { accountId: value }, `accountId: ${identifierRule}`),
    invalid(`${what} for the idempotency key`, {}, `idempotencyKey: ${identifierRule}`, { idempotencyKey: value }),
    ...(typeof value === 'string'
      ? [invalid(`${what} for data.id`, { data: { id: value } }, `data.id: ${identifierRule}`)]
      : []),
  ]),
  ...pairs.map(([input, change, detail]) => invalid(input, change, detail)),
  ...datas.map(([input, data, detail]) => invalid(input, { data }, detail)),
  ...Object.entries(noTimes).map(([what, occurredAt]) =>
    invalid(`${what} for occurredAt`, { occurredAt }, 'occurredAt: milliseconds since 1970, a whole number.'),
  ),
  ...Object.entries({ 'no event': undefined, 'null for the event': null, 'a text for the event': 'SECRET' }).map(
    ([input, event]): BadCall => ({
      group: 'event',
      input,
      calls: { 'events.publish': () => [event, { tx: 'new' }], 'events.tryPublish': () => [event, { tx: 'new' }] },
      code: 'invalid_event',
      detail: 'event: an object with accountId, objectName, type and data.',
    }),
  ),
  {
    group: 'event',
    input: 'null among the events',
    calls: { 'events.publishMany': () => [[sound, null], { tx: 'new' }] },
    code: 'invalid_event',
    detail: 'event: an object with accountId, objectName, type and data.',
  },
  ...Object.entries({
    'no options': undefined,
    'no tx': {},
    'null for tx': { tx: null },
    'a text for tx': { tx: 'old' },
  }).map(
    ([input, options]): BadCall => ({
      group: 'event',
      input,
      calls: {
        'events.publish': () => [sound, options],
        'events.tryPublish': () => [sound, options],
        'events.publishMany': () => [[sound], options],
      },
      code: 'invalid_event',
      detail: tx,
    }),
  ),
  {
    group: 'event',
    input: 'a tx that is not a transaction',
    calls: {
      'events.publish': () => [sound, { tx: {} }],
      'events.tryPublish': () => [sound, { tx: {} }],
      'events.publishMany': () => [[sound], { tx: {} }],
    },
    code: 'no_transaction',
    detail:
      "tx: this is no open transaction: hand over the one that you began, and await its begin; or 'new' when there is none.",
  },
  ...Object.entries({ 'an object that holds itself': circular, 'data of 65 levels': nested(65) }).map(
    ([input, meta]): BadCall => ({
      ...invalid(input, { data: { id: 'p2', meta } }, ''),
      detail: `data.meta${(meta === circular ? '.self' : '.a').repeat(64)}: nested too deeply.`,
    }),
  ),
  {
    group: 'event',
    input: 'data that makes a body of more than 256 KiB',
    calls: calls({ data: { id: 'p2', status: 'é'.repeat(131_072) } }),
    code: 'too_large',
    detail: 'The body would have 262244 bytes; at most 262144 are sent.',
  },
  {
    group: 'event',
    input: 'an idempotency key that was used for other content',
    calls: calls({}, { idempotencyKey: 'used' }),
    code: 'idempotency_conflict',
    detail: 'This idempotency key belongs to an event with other content.',
  },
];
