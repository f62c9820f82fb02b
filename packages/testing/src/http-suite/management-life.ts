import type { ManagementStep } from './management-steps.ts';

interface KeyAnswer {
  readonly key: { readonly id: string };
  readonly secretId: string;
}
interface EndpointAnswer {
  readonly endpoint: { readonly id: string };
}

const key = '/api-keys/:keyId';
const endpoint = '/endpoints/:endpointId';
const current = { 'if-match': '*' };

/** The life of an API key and of an endpoint: what every session of the owner can do. @internal */
export const life: readonly ManagementStep[] = [
  { name: 'the session is read', session: 'reader', method: 'GET', path: '/session', status: 200 },
  { name: 'a session without rights is read', session: 'nothing', method: 'GET', path: '/session', status: 200 },
  { name: 'the catalogue is read', session: 'reader', method: 'GET', path: '/catalogue', status: 200 },
  { name: 'no keys yet', method: 'GET', path: '/api-keys', status: 200 },
  {
    name: 'a key is added',
    method: 'POST',
    path: '/api-keys',
    body: { name: 'Booking system' },
    status: 201,
    keep: ({ key: { id }, secretId }: KeyAnswer) => ({ keyId: id, secretId }),
  },
  { name: 'the key is listed', session: 'reader', method: 'GET', path: '/api-keys?limit=1', status: 200 },
  { name: 'the key is read', session: 'reader', method: 'GET', path: key, status: 200 },
  { name: 'its head is read', session: 'reader', method: 'HEAD', path: key, status: 200 },
  {
    name: 'the key is renamed, if it is what was read',
    method: 'PATCH',
    path: key,
    headers: { 'if-match': '"1"', 'sec-fetch-site': 'same-origin' },
    body: { name: 'Till' },
    status: 200,
  },
  { name: 'a second secret is added', method: 'POST', path: `${key}/secrets`, body: { label: 'next' }, status: 201 },
  { name: 'a third one without a label', method: 'POST', path: `${key}/secrets`, status: 201 },
  {
    name: 'the first secret expires later',
    method: 'POST',
    path: `${key}/secrets/:secretId/expire`,
    body: { at: 1_900_000_000 },
    status: 200,
  },
  { name: 'it expires now', method: 'POST', path: `${key}/secrets/:secretId/expire`, status: 200 },
  { name: 'it is revoked', method: 'POST', path: `${key}/secrets/:secretId/revoke`, headers: current, status: 200 },
  { name: 'tokens are revoked', method: 'POST', path: `${key}/revoke-tokens`, status: 200 },
  { name: 'the key is disabled', method: 'POST', path: `${key}/disable`, status: 200 },
  {
    name: 'the key is enabled from a trusted origin',
    method: 'POST',
    path: `${key}/enable`,
    headers: { origin: 'https://app.platform.example', 'sec-fetch-site': 'cross-site' },
    status: 200,
  },
  {
    name: 'a URL is checked before there is an endpoint',
    method: 'POST',
    path: '/endpoints/check',
    body: { url: 'https://partner.example/hooks' },
    status: 204,
    storesNothing: true,
  },
  {
    name: 'a wrong URL is refused by the check',
    method: 'POST',
    path: '/endpoints/check',
    body: { url: 'http://partner.example/hooks' },
    status: 400,
    code: 'invalid_input',
  },
  {
    name: 'an endpoint is created',
    method: 'POST',
    path: '/endpoints',
    body: {
      url: 'https://partner.example/hooks',
      events: ['payed', 'RequestPayment.creation'],
      label: 'prod',
      apiKey: { header: 'X-API-Key', value: 'k3y' },
    },
    status: 201,
    keep: ({ endpoint: { id } }: EndpointAnswer) => ({ endpointId: id }),
  },
  { name: 'the endpoint is listed with its health', session: 'reader', method: 'GET', path: '/endpoints', status: 200 },
  { name: 'the endpoint is read', session: 'reader', method: 'GET', path: endpoint, status: 200 },
  {
    name: 'the endpoint is changed',
    method: 'PATCH',
    path: endpoint,
    headers: { 'if-match': '"1"', 'content-type': 'application/merge-patch+json' },
    body: { label: null, includeChildren: true },
    status: 200,
  },
  {
    name: 'an API key does not move to another origin',
    method: 'PATCH',
    path: endpoint,
    body: { url: 'https://other.example/' },
    status: 409,
    code: 'api_key_needed',
  },
  {
    name: 'a URL without TLS is refused',
    method: 'PATCH',
    path: endpoint,
    body: { url: 'http://partner.example/' },
    status: 400,
    code: 'invalid_input',
  },
  { name: 'the next secret is made', method: 'POST', path: `${endpoint}/secret/prepare`, status: 200 },
  { name: 'it is dropped', method: 'POST', path: `${endpoint}/secret/cancel`, status: 200 },
  {
    name: 'there is none to drop',
    method: 'POST',
    path: `${endpoint}/secret/cancel`,
    status: 409,
    code: 'no_next_secret',
  },
  { name: 'another one is made', method: 'POST', path: `${endpoint}/secret/prepare`, status: 200 },
  { name: 'it signs from now on', method: 'POST', path: `${endpoint}/secret/activate`, status: 200 },
  {
    name: 'a test event is sent',
    method: 'POST',
    path: `${endpoint}/test`,
    body: { objectName: 'RequestPayment', type: 'payed', data: { amount: 1 } },
    status: 202,
  },
  {
    name: 'a test event needs data that fits',
    method: 'POST',
    path: `${endpoint}/test`,
    body: { objectName: 'RequestPayment', type: 'payed', data: {} },
    status: 409,
    code: 'invalid_event',
  },
  {
    name: 'events are listed',
    session: 'reader',
    method: 'GET',
    path: '/events?objectName=RequestPayment&order=newest',
    status: 200,
    delivers: true,
    keep: ({ items: [first] }: { readonly items: readonly { readonly id: string }[] }) => ({
      eventId: first?.id ?? '',
    }),
  },
  {
    name: 'deliveries of an event are listed',
    session: 'reader',
    method: 'GET',
    path: '/deliveries?eventId=:eventId&state=delivered',
    status: 200,
    keep: ({ items: [first] }: { readonly items: readonly { readonly id: string }[] }) => ({
      deliveryId: first?.id ?? '',
    }),
  },
  {
    name: 'attempts are listed',
    session: 'reader',
    method: 'GET',
    path: '/deliveries/:deliveryId/attempts',
    status: 200,
  },
  {
    name: 'an event is explained',
    session: 'reader',
    method: 'GET',
    path: '/events/:eventId/explanations/:endpointId',
    status: 200,
  },
  {
    name: 'an unknown event is not explained',
    method: 'GET',
    path: '/events/:endpointId/explanations/:endpointId',
    status: 404,
    code: 'no_such_event',
  },
  { name: 'a delivery is sent again', method: 'POST', path: '/deliveries/:deliveryId/send-again', status: 202 },
  {
    name: 'not twice at a time',
    method: 'POST',
    path: '/deliveries/:deliveryId/send-again',
    status: 409,
    code: 'unfinished',
  },
  {
    name: 'a period is replayed',
    method: 'POST',
    path: `${endpoint}/replay`,
    body: { from: 0, to: 1_900_000_000 },
    status: 200,
    delivers: true,
  },
  {
    name: 'attempts are counted by hour',
    session: 'reader',
    method: 'GET',
    path: `${endpoint}/attempts?hours=2`,
    status: 200,
  },
  {
    name: 'no more than 168 hours are counted',
    method: 'GET',
    path: `${endpoint}/attempts?hours=169`,
    status: 400,
    code: 'invalid_query',
  },
  { name: 'the backlog is counted', session: 'reader', method: 'GET', path: '/backlog', status: 200 },
  {
    name: 'an endpoint that is not paused stays as it is',
    method: 'POST',
    path: `${endpoint}/resume`,
    status: 200,
    storesNothing: true,
  },
  { name: 'the endpoint is disabled', method: 'POST', path: `${endpoint}/disable`, status: 200 },
  { name: 'a disabled endpoint has a reason', session: 'reader', method: 'GET', path: endpoint, status: 200 },
  {
    name: 'a disabled endpoint gets no test event',
    method: 'POST',
    path: `${endpoint}/test`,
    body: { objectName: 'RequestPayment', type: 'payed', data: { amount: 1 } },
    status: 409,
    code: 'endpoint_disabled',
  },
  { name: 'the endpoint is enabled', method: 'POST', path: `${endpoint}/enable`, status: 200 },
  {
    name: 'a made-up cursor is refused',
    method: 'GET',
    path: '/api-keys?after=made-up',
    status: 400,
    code: 'invalid_cursor',
  },
  { name: 'an unknown path', method: 'GET', path: '/no-such-path', status: 404, code: 'not_found' },
  { name: 'an unknown method', method: 'PUT', path: '/api-keys', body: {}, status: 405, code: 'method_not_allowed' },
];

/** The last step: afterwards, nothing can be refused for an endpoint. @internal */
export const end: readonly ManagementStep[] = [
  { name: 'the endpoint is deleted', method: 'DELETE', path: endpoint, headers: current, status: 204 },
  { name: 'the endpoint is gone', method: 'GET', path: endpoint, status: 404, code: 'not_found' },
];
