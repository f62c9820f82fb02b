import { type BadCall, identifierRule, noIdentifiers, noTimes } from './bad-call.ts';
import type { World } from './world.ts';

const notSelectable = 'neither an event type of the catalogue nor a pair such as RequestPayment.payed';
const sound = { url: 'https://partner.example/', events: ['payed'] };

/** A field of an endpoint, when it is created and when it is updated. */
const field = (
  group: BadCall['group'],
  input: string,
  change: Readonly<Record<string, unknown>>,
  detail: string,
): BadCall => ({
  group,
  input,
  calls: {
    'endpoints.create': () => ['acc_own', { ...sound, ...change }],
    'endpoints.update': ({ endpointId }) => ['acc_own', endpointId, change],
  },
  code: 'invalid_input',
  detail,
});

const noUser = 'url: must hold no user name or password; use the delivery header.';
const noFragment = 'url: must hold no fragment; it would never be sent.';
const tooLong = 'url: at most 2048 characters, percent-encoded.';
const urls: readonly (readonly [url: unknown, detail: string, shown?: string])[] = [
  ['http://partner.example/', 'url: must be HTTPS.'],
  ['ftp://partner.example/', 'url: must be HTTPS.'],
  ['javascript:alert(1)', 'url: must be HTTPS.'],
  ['file:///etc/passwd', 'url: must be HTTPS.'],
  ['', 'url: not a URL.', 'an empty text'],
  ['partner.example/hooks', 'url: not a URL.'],
  ['//partner.example', 'url: not a URL.'],
  ['https://', 'url: not a URL.'],
  ['https://a b/', 'url: not a URL.'],
  ['https://partner.example:99999/', 'url: not a URL.'],
  ['https://256.256.256.256/', 'url: not a URL.'],
  ['https://[::1/', 'url: not a URL.'],
  ['https://partner\0.example/', 'url: not a URL.', 'a NUL in the host'],
  ['https://SECRET@partner.example/', noUser, 'a user name'],
  ['https://user:SECRET@partner.example/', noUser, 'a user name and a password'],
  ['https://:SECRET@partner.example/', noUser, 'a password'],
  ['https://partner.example/#SECRET', noFragment, 'a fragment'],
  ['https://partner.example/#', noFragment],
  [`https://partner.example/${'x'.repeat(2_025)}`, tooLong, '2,049 characters'],
  [`https://partner.example/${'é'.repeat(400)}`, tooLong, '2,424 characters once it is percent-encoded'],
  [7, 'url: an HTTPS URL.', 'a number'],
  [null, 'url: an HTTPS URL.', 'null'],
  [['https://partner.example/'], 'url: an HTTPS URL.', 'a list'],
];

/** Bad webhook URLs. */
export const urlCalls: readonly BadCall[] = urls.map(([url, detail, shown]) =>
  field('endpoint URL', shown ?? `\`${url}\``, { url }, detail),
);

const reserved = [
  ['Host', 'Content-Type', 'content-length', 'Content-Encoding', 'Transfer-Encoding', 'Connection', 'Keep-Alive'],
  ['Expect', 'TE', 'Trailer', 'Upgrade', 'Proxy-Authorization', 'X-WEBHOOK-SIGNATURE', 'webhook-id'],
  ['X_WEBHOOK_SIGNATURE', 'Content_Length'],
].flat();
const badNames: Readonly<Record<string, string>> = {
  'an empty name': '',
  'a name with a space': 'X Key',
  'a name with a colon': 'X-Key:',
  'a name that begins another header': 'X-Key\r\nX-Evil',
  'a name with an accent': 'X-Clé',
  'a name with a NUL': 'X-Key\0',
  'a name of 65 characters': 'x'.repeat(65),
};
const badValues: Readonly<Record<string, string>> = {
  'an empty value': '',
  'a space': ' ',
  'a value that begins with a space': ' SECRET',
  'a value that ends in a space': 'SECRET ',
  'a value with a line end': 'SECRET\n',
  'a value that begins another header': 'a\r\nX-Evil: SECRET',
  'a value with an accent': 'SECRETé',
  'a value with a NUL': 'SECRET\0',
  'a value of 1,025 characters': 'x'.repeat(1_025),
};
const badKeys: readonly (readonly [input: string, deliveryHeader: unknown, detail: string])[] = [
  ['a text', 'SECRET', 'deliveryHeader: an object with name and value.'],
  ['a list', ['X-API-Key', 'SECRET'], 'deliveryHeader: an object with name and value.'],
  [
    'no header name',
    { value: 'SECRET' },
    'deliveryHeader.name: missing: a header name of 1 to 64 letters, digits and -.',
  ],
  ['no value', { name: 'X-API-Key' }, 'deliveryHeader.value: missing: 1 to 1024 visible ASCII characters.'],
  ['a number', { name: 'X-API-Key', value: 7 }, 'deliveryHeader.value: 1 to 1024 visible ASCII characters.'],
];

/** Bad delivery headers. */
export const deliveryHeaderCalls: readonly BadCall[] = [
  ...reserved.map((header) =>
    field(
      'delivery header',
      `the name \`${header}\``,
      { deliveryHeader: { name: header, value: 'SECRET' } },
      'deliveryHeader.name: this header name is reserved.',
    ),
  ),
  ...Object.entries(badNames).map(([input, header]) =>
    field(
      'delivery header',
      input,
      { deliveryHeader: { name: header, value: 'SECRET' } },
      'deliveryHeader.name: a header name of 1 to 64 letters, digits and -.',
    ),
  ),
  ...Object.entries(badValues).map(([input, value]) =>
    field(
      'delivery header',
      input,
      { deliveryHeader: { name: 'X-API-Key', value } },
      'deliveryHeader.value: 1 to 1024 visible ASCII characters.',
    ),
  ),
  ...badKeys.map(([input, deliveryHeader, detail]) => field('delivery header', input, { deliveryHeader }, detail)),
];

const others: readonly (readonly [input: string, change: Readonly<Record<string, unknown>>, detail: string])[] = [
  ['no event type', { events: [] }, 'events: at least one event type.'],
  ['an unknown event type', { events: ['payed', 'paid'] }, `events.1: ${notSelectable}; did you mean 'payed'?`],
  ['the event type `constructor`', { events: ['constructor'] }, `events.0: ${notSelectable}.`],
  [
    'an unknown pair',
    { events: ['RequestPayment.paid'] },
    `events.0: ${notSelectable}; did you mean 'RequestPayment.payed'?`,
  ],
  ['a number for the events', { events: 7 }, 'events: a list of event types.'],
  ['an empty label', { label: '' }, `label: ${identifierRule}`],
  ['a label of 257 bytes', { label: `${'é'.repeat(128)}x` }, `label: ${identifierRule}`],
  ['a label with a NUL', { label: 'SECRET\0' }, `label: ${identifierRule}`],
  ['a text for standardWebhooks', { standardWebhooks: 'SECRET' }, 'standardWebhooks: true or false.'],
  ['a text for includeChildren', { includeChildren: 'SECRET' }, 'includeChildren: true or false.'],
  ['null for includeChildren', { includeChildren: null }, 'includeChildren: true or false.'],
  ['a secret of the partner’s own', { secret: 'SECRET' }, 'secret: no such field.'],
  ['a state', { state: 'enabled' }, 'state: no such field.'],
];

const whole = (input: string, value: unknown): BadCall => ({
  group: 'endpoint',
  input,
  calls: {
    'endpoints.create': () => ['acc_own', value],
    'endpoints.update': ({ endpointId }) => ['acc_own', endpointId, value],
  },
  code: 'invalid_input',
  detail: 'input: an object.',
});

/** Every call with an endpoint id. */
const named = (idOf: (world: World) => unknown, accountId: unknown = 'acc_own'): BadCall['calls'] => ({
  ...Object.fromEntries(
    ['find', 'enable', 'disable', 'prepareSecret', 'activateSecret', 'cancelSecret', 'delete'].map((method) => [
      `endpoints.${method}`,
      (world: World) => [accountId, idOf(world)],
    ]),
  ),
  'endpoints.update': (world) => [accountId, idOf(world), { label: 'new' }],
});

/** Bad calls of `kit.endpoints`. */
export const endpointCalls: readonly BadCall[] = [
  ...others.map(([input, change, detail]) => field('endpoint', input, change, detail)),
  whole('null', null),
  whole('a text', 'SECRET'),
  whole('a list', ['SECRET']),
  ...Object.entries(noIdentifiers).map(
    ([what, accountId]): BadCall => ({
      group: 'endpoint',
      input: `${what} for the account`,
      calls: { 'endpoints.create': () => [accountId, sound], 'endpoints.list': () => [accountId] },
      code: 'invalid_input',
      detail: `accountId: ${identifierRule}`,
    }),
  ),
  ...Object.entries(noIdentifiers).map(
    ([what, accountId]): BadCall => ({
      group: 'endpoint',
      input: `${what} for the account of an existing endpoint`,
      calls: named(({ endpointId }) => endpointId, accountId),
      code: 'not_found',
    }),
  ),
  ...Object.entries<unknown>({
    'one id in place of the ids': 'SECRET',
    '101 ids': Array.from({ length: 101 }, () => 'SECRET'),
  }).map(
    ([input, endpointIds]): BadCall => ({
      group: 'endpoint',
      input,
      calls: { 'endpoints.health': () => ['acc_own', endpointIds] },
      code: 'invalid_input',
      detail: 'endpointIds: a list of at most 100 ids.',
    }),
  ),
  {
    group: 'endpoint',
    input: 'more endpoints than `webhooks.maxEndpoints`',
    calls: { 'endpoints.create': () => ['acc_full', sound] },
    code: 'too_many_endpoints',
  },
  ...Object.entries<(world: World) => unknown>({
    'an endpoint that does not exist': () => '00000000-0000-7000-8000-000000000000',
    'an endpoint of another account': ({ foreign }) => foreign.endpointId,
    'an id of another form': () => 'SECRET',
    'an id with a NUL': ({ endpointId }) => `${endpointId}\0`,
    '`__proto__` for the id': () => '__proto__',
  }).map(([input, idOf]): BadCall => ({ group: 'endpoint', input, calls: named(idOf), code: 'not_found' })),
  {
    group: 'endpoint',
    input: 'no next secret was prepared',
    calls: {
      'endpoints.activateSecret': ({ endpointId }) => ['acc_own', endpointId],
      'endpoints.cancelSecret': ({ endpointId }) => ['acc_own', endpointId],
    },
    code: 'no_next_secret',
  },
  {
    group: 'endpoint',
    input: 'a URL of another origin, without the API key',
    calls: { 'endpoints.update': ({ endpointId }) => ['acc_own', endpointId, { url: 'https://SECRET.example/' }] },
    code: 'delivery_header_needed',
  },
  ...Object.entries(noTimes).map(
    ([what, at]): BadCall => ({
      group: 'endpoint',
      input: `${what} for the time`,
      calls: { 'endpoints.activateSecret': ({ endpointId }) => ['acc_own', endpointId, { at }] },
      code: 'invalid_input',
      detail: 'at: milliseconds since 1970, a whole number.',
    }),
  ),
];
