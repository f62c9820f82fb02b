import type { Page } from 'playwright-core';
import type { components } from '../../src/element/management-api.ts';

type Schemas = components['schemas'];
type ApiKey = Schemas['ApiKey'];
type Attempt = Schemas['Attempt'];
type AuditEntry = Schemas['AuditEntry'];
type Delivery = Schemas['Delivery'];
type Endpoint = Schemas['Endpoint'];
type EndpointStatistics = Schemas['EndpointStatistics'];
type EventCatalogue = Schemas['EventCatalogue'];
type Explanation = Schemas['Explanation'];
type ManagementSession = Schemas['ManagementSession'];
type EventWithBody = Schemas['Event'];

// A partner of a platform for holiday lets, as the management API answers for it. Times count from one afternoon.

/** When the photographs are taken: 23 November 2026, 15:20 in Paris. */
export const now = Date.UTC(2026, 10, 23, 14, 20) / 1_000;
/** A time so many minutes before. */
export const minutesAgo = (count: number): number => now - count * 60;
const hours = (count: number): number => now - count * 3_600;
const days = (count: number): number => now - count * 86_400;

const uuid = (tail: string): string => `01a208ef-d2e3-7854-8a11-${tail.padStart(12, '0')}`;
export const bookingId = uuid('b001');
export const erpId = uuid('e001');
/** The key whose secret ends soon. */
export const keyId = uuid('a001');

export const session: ManagementSession = {
  accountId: 'org_4411',
  accountName: 'Bellerive Locations',
  userId: 'zoe',
  can: { keys: 'write', webhooks: 'write', deliveries: 'write' },
  rights: [],
  hasNetworks: false,
  hasPublicKeys: false,
  attemptTimeoutMs: 15_000,
};

const secret = (id: string, fields: Partial<ApiKey['secrets'][number]> = {}): ApiKey['secrets'][number] => ({
  id,
  createdAt: days(340),
  revoked: false,
  lastUsedAt: minutesAgo(3),
  ...fields,
});

const keys: readonly ApiKey[] = [
  {
    id: uuid('a003'),
    name: 'Old website',
    createdAt: days(800),
    disabled: true,
    secrets: [secret('7kq2', { revoked: true, lastUsedAt: days(210) })],
    usage: { lastCallAt: days(203), calls: 0, days: [], isUnused: true },
  },
  {
    id: uuid('a002'),
    name: 'Accounting',
    createdAt: days(120),
    disabled: false,
    secrets: [secret('m3x8', { createdAt: days(120), lastUsedAt: hours(5) })],
    rights: ['requests:read'],
    children: ['org_4412', 'org_4413'],
    networks: ['203.0.113.0/24'],
    jwks: { keys: [{ kid: '2027', kty: 'EC', alg: 'ES256', crv: 'P-256' }] },
    lastRefusal: { at: days(2), reason: 'wrong_secret' },
    usage: {
      ...{ lastCallAt: hours(5), calls: 1_412, days: [], isUnused: false },
      lastRefusal: { at: days(1), reason: 'insufficient_scope' },
    },
  },
  {
    id: keyId,
    name: 'Booking system',
    createdAt: days(340),
    disabled: false,
    secrets: [secret('c41f', { expiresAt: now + 23 * 86_400 })],
  },
];

const endpoint = (fields: Partial<Endpoint>): Endpoint => ({
  id: bookingId,
  kind: 'push',
  url: 'https://booking.example/hooks/bellerive',
  label: 'Booking system',
  events: ['RequestPayment.payed', 'RequestPayment.cancel', 'RequestSecurityDeposit.finish'],
  state: 'enabled',
  standardWebhooks: true,
  includeChildren: false,
  deliveryHeaderName: 'X-Api-Key',
  createdAt: days(265),
  rotating: false,
  health: { status: 'delivering', failures: 0 },
  ...fields,
});

const healthy = endpoint({});
const erp = endpoint({
  id: erpId,
  url: 'https://erp.example/in',
  label: 'Accounting',
  events: ['RequestPayment.payed'],
  standardWebhooks: false,
  createdAt: days(118),
});
const failing = endpoint({ health: { status: 'failing', failures: 38, failingSince: minutesAgo(18) } });
const paused = endpoint({
  health: { status: 'paused', failures: 12, failingSince: minutesAgo(18), pausedUntil: now + 252 },
});
const disabled = endpoint({
  state: 'disabled_by_breaker',
  health: { status: 'disabled', failures: 94, disabledBy: 'failing', disabledSince: hours(7) },
});
const rotating = endpoint({ rotating: true });

const none = { clientError: 0, serverError: 0, otherStatus: 0, timeout: 0, connection: 0, tls: 0, platform: 0 };
/** Attempts of an hour, as a holiday let has them: few at night, most in the evening. */
const course = [52, 61, 70, 44, 30, 22, 12, 6, 2, 0, 0, 0, 1, 4, 9, 18, 34, 41, 38, 29, 27, 33, 45, 47];

const figures = (
  endpointId: string,
  { scale = 1, isFailing = false, isDaily = false }: { scale?: number; isFailing?: boolean; isDaily?: boolean } = {},
): EndpointStatistics => {
  const step = isDaily ? 86_400 : 3_600;
  const start = Math.floor(now / step) * step - (course.length - 1) * step;
  const buckets = course.map((count, index) => {
    const isBroken = isFailing && index === course.length - 1;
    const usual = isDaily ? 540 + ((index * 37) % 160) : count;
    const delivered = isBroken ? (isDaily ? 566 : 9) : Math.round(usual * scale);
    const failed = isBroken
      ? { ...none, serverError: 31, timeout: 7 }
      : { ...none, ...(index === 2 ? { connection: 2 } : {}) };
    return { at: start + index * step, delivered, failed };
  });
  const sum = (of: (each: (typeof buckets)[number]) => number): number =>
    buckets.reduce((all, each) => all + of(each), 0);
  const failed = {
    ...none,
    serverError: sum((each) => each.failed.serverError),
    timeout: sum((each) => each.failed.timeout),
    connection: sum((each) => each.failed.connection),
  };
  const last = { at: minutesAgo(2), deliveryId: `${uuid('f001')}.${endpointId}` };
  return {
    endpointId,
    buckets,
    total: { delivered: sum(({ delivered }) => delivered), failed },
    durations: { medianMs: 86, p90Ms: 412 },
    isComplete: true,
    held: 0,
    waiting: isFailing ? 38 : 0,
    ...(isFailing ? { nextAttemptAt: now + 252 } : {}),
    last: isFailing
      ? { kind: 'answered', status: 503, body: '{"error":"maintenance"}', durationMs: 1_204, ...last }
      : { kind: 'answered', status: 204, body: '', durationMs: 64, ...last },
  };
};

const delivering = figures(bookingId);
export const broken = figures(bookingId, { isFailing: true });
const accounting = figures(erpId, { scale: 0.3 });
/** The figures of a week, beside those of a day. */
const week = (endpointId: string, days: readonly EndpointStatistics[]): EndpointStatistics => {
  const isFailing = days.some(
    (each) => each.endpointId === endpointId && each.last?.kind === 'answered' && each.last.status > 299,
  );
  const made = figures(endpointId, { isDaily: true, isFailing, scale: endpointId === erpId ? 0.3 : 1 });
  const buckets = made.buckets.slice(-7);
  const delivered = buckets.reduce((sum, each) => sum + each.delivered, 0);
  return { ...made, buckets, total: { ...made.total, delivered } };
};
const silent: EndpointStatistics = {
  endpointId: bookingId,
  buckets: delivering.buckets.map(({ at }) => ({ at, delivered: 0, failed: none })),
  total: { delivered: 0, failed: none },
  isComplete: true,
  held: 0,
  waiting: 0,
};

const delivery = (index: number, fields: Partial<Delivery> = {}): Delivery => {
  const eventId = uuid(`f${String(index).padStart(3, '0')}`);
  const isDeposit = index % 4 === 3;
  return {
    id: `${eventId}.${bookingId}`,
    eventId,
    endpointId: bookingId,
    state: 'delivered',
    attempts: 1,
    event: {
      objectName: isDeposit ? 'RequestSecurityDeposit' : 'RequestPayment',
      objectId: `${isDeposit ? 'dep' : 'pay'}_${8_412 - index}`,
      type: isDeposit ? 'finish' : index % 5 === 2 ? 'cancel' : 'payed',
      timestamp: minutesAgo(2 + index * 7),
      isTest: index === 4,
    },
    ...fields,
  };
};

const deliveries: readonly Delivery[] = Array.from({ length: 24 }, (_none, index) => {
  if (index < 3) return delivery(index, { state: 'waiting', attempts: 2 });
  if (index === 9) return delivery(index, { state: 'exhausted', attempts: 10 });
  return delivery(index);
});
const [firstDelivery = delivery(0)] = deliveries;
export const shownDelivery = delivery(1, { state: 'waiting', attempts: 3 });
const siblings = [shownDelivery, delivery(1, { id: `${shownDelivery.eventId}.${erpId}`, endpointId: erpId })];

const attempts: readonly Attempt[] = [
  { kind: 'answered', status: 503, body: '{"error":"maintenance"}', at: minutesAgo(9), durationMs: 1_204 },
  { kind: 'failed', reason: 'timeout', at: minutesAgo(9) + 20, durationMs: 15_001 },
  { kind: 'answered', status: 503, body: '{"error":"maintenance"}', at: minutesAgo(4), durationMs: 988 },
];
const explanation: Explanation = {
  kind: 'waiting',
  deliveryId: shownDelivery.id,
  attempts: 3,
  dueAt: now + 252,
  last: { kind: 'answered', status: 503, body: '{"error":"maintenance"}', durationMs: 988 },
};

const data = {
  id: 'pay_8411',
  status: 'payed',
  amount: 850.5,
  currency: 'EUR',
  payer: { name: 'Ana Ruiz', language: 'es' },
};
const event: EventWithBody = {
  id: shownDelivery.eventId,
  objectName: 'RequestPayment',
  objectId: 'pay_8411',
  type: 'payed',
  isTest: false,
  occurredAt: minutesAgo(10),
  timestamp: minutesAgo(9),
  body: JSON.stringify({ timestamp: minutesAgo(9), data, objectName: 'RequestPayment', type: 'payed' }),
};

const catalogue: EventCatalogue = {
  endingSignatures: [],
  objects: [
    {
      objectName: 'RequestPayment',
      events: [
        { type: 'creation', description: 'A payment request was created.', sample: { id: 'pay_1', amount: 850.5 } },
        { type: 'payed', description: 'The payment of a payment request succeeded.', sample: data },
        {
          type: 'cancel',
          description: 'A payment request was cancelled.',
          sample: { id: 'pay_1', status: 'cancelled' },
        },
      ],
    },
    {
      objectName: 'RequestSecurityDeposit',
      events: [
        { type: 'creation', description: 'A security-deposit request was created.' },
        { type: 'finish', description: 'A security-deposit request finished.', sample: { id: 'dep_1', amount: 300 } },
      ],
    },
  ],
};

/** What the management API answers, by path. A number is a status without a body. */
export type Answers = Readonly<Record<string, object | number>>;

const page = (items: readonly object[], next?: string): object => ({ items, ...(next === undefined ? {} : { next }) });

/** A partner with some webhooks and their figures. */
const partnerWith = (endpoints: readonly Endpoint[], all: readonly EndpointStatistics[]): Answers => ({
  session,
  catalogue,
  'api-keys': page(keys),
  endpoints: page(endpoints),
  'statistics?period=24h': page(all),
  'statistics?period=7d': page(all.map(({ endpointId }) => week(endpointId, all))),
  statistics: page(all),
  deliveries: page(deliveries, 'more'),
  events: page(deliveries.map(({ eventId, event: about }, index) => ({ ...about, id: eventId, isTest: index === 4 }))),
  ...Object.fromEntries(
    endpoints.flatMap((each) => [
      [`endpoints/${each.id}`, each],
      [`endpoints/${each.id}/statistics`, all.find(({ endpointId }) => endpointId === each.id) ?? silent],
    ]),
  ),
  [`deliveries/${shownDelivery.id}/attempts`]: page(attempts),
  [`deliveries/${firstDelivery.id}/attempts`]: page(attempts),
  [`events/${event.id}`]: event,
  [`events/${event.id}/explanations/${bookingId}`]: explanation,
});

/** A partner with nothing yet. */
export const newcomer: Answers = {
  session,
  catalogue,
  'api-keys': page([]),
  endpoints: page([]),
  statistics: page([]),
  deliveries: page([]),
  events: page([]),
};

/**
 * Answers the calls of a page. What it changes is recorded as `METHOD path`, and answered with `{ deliveries: 12 }`
 * unless `answers` has something for it.
 */
export const answer = async (page: Page, answers: Answers, changes: string[] = []): Promise<void> => {
  await page.route('**/partner-portal/api/**', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const path = decodeURIComponent(pathname).replace('/partner-portal/api/', '');
    const method = route.request().method();
    if (method === 'POST' && route.request().postDataJSON()?.isDryRun === true) {
      // What was sent again does not count as failed any more.
      const isSent = changes.includes(`POST ${path}`);
      return route.fulfill({ json: isSent ? { deliveries: 0 } : (answers[`dry ${path}`] ?? { deliveries: 0 }) });
    }
    if (method !== 'GET') {
      changes.push(`${method} ${path}`);
      return route.fulfill({ json: answers[`${method} ${path}`] ?? { deliveries: 12 } });
    }
    const found = answers[`${path}${search}`] ?? answers[path] ?? 404;
    const limit = new URLSearchParams(search).get('limit');
    if (typeof found === 'object' && 'items' in found && limit !== null)
      return route.fulfill({ json: { ...found, items: (found.items as readonly object[]).slice(0, Number(limit)) } });
    const code = { 401: 'not_authenticated', 404: 'not_found', 503: 'unavailable' }[Number(found)];
    await route.fulfill(typeof found === 'number' ? { status: found, json: { code } } : { json: found });
  });
};

/** What the trail tells of an account, newest first. */
export const trail: readonly AuditEntry[] = [
  ...[
    { type: 'account.changed', subjectId: 'org_4411', by: { type: 'user', id: 'zoe' }, change: 'alert_address_set' },
    { type: 'account.changed', subjectId: 'org_4411', by: { type: 'platform' }, change: 'alert_address_imported' },
    { type: 'delivery.exhausted', subjectId: bookingId, by: { type: 'rule' }, count: 1_204 },
    { type: 'endpoint.failing', subjectId: bookingId, by: { type: 'rule' } },
    { type: 'endpoint.silent', subjectId: erpId, by: { type: 'rule' } },
    { type: 'key.added', subjectId: keyId, by: { type: 'user', id: 'noor' } },
  ].map((entry, nth) => ({ ...entry, id: uuid(`f${nth}`), at: minutesAgo(7 + 95 * nth), changes: [] }) as AuditEntry),
  {
    ...{ id: uuid('f9'), at: days(1), type: 'endpoint.changed', subjectId: bookingId, by: { type: 'user', id: 'zoe' } },
    changes: [
      { field: 'url', from: 'https://old.bellerive.example/in', to: 'https://hooks.bellerive.example/partnerkit' },
      { field: 'events', from: ['payed'], to: ['payed', 'refused'] },
    ],
  } as AuditEntry,
];

/** Two webhooks that deliver. */
export const usual = partnerWith([healthy, erp], [delivering, accounting]);
/** One of two webhooks fails. */
export const trouble = partnerWith([failing, erp], [broken, accounting]);
/** One that fails, and one of its deliveries. */
export const oneDelivery: Answers = { ...trouble, deliveries: { items: siblings } };
/** Two webhooks that deliver, and a delivery that was given up. */
export const givenUp: Answers = {
  ...usual,
  deliveries: { items: [{ ...shownDelivery, state: 'exhausted' }] },
  [`dry endpoints/${bookingId}/recover`]: { deliveries: 2 },
};
export const pausedWebhook = partnerWith([paused], [broken]);
export const disabledWebhook = partnerWith([disabled], [broken]);
export const rotatingWebhook = partnerWith([rotating], [delivering]);
/** Two webhooks; one selects an event type that ends, and has a signature that ends. */
export const ending: Answers = {
  ...partnerWith([healthy, { ...erp, profile: 'erp' }], [delivering, accounting]),
  catalogue: {
    endingSignatures: [
      { headers: ['X-WEBHOOK-SIGNATURE'], until: now + 86_400 * 60 },
      { headers: ['X-Old-Signature'], until: now - 1 },
    ],
    objects: catalogue.objects.map(({ objectName, events }) => ({
      objectName,
      events: events.map((each) =>
        each.type === 'cancel'
          ? { ...each, deprecated: { since: days(30), until: now + 86_400 * 90, instead: 'RequestPayment.update' } }
          : each,
      ),
    })),
  },
};
