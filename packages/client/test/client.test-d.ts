import { expectTypeOf, test } from 'vitest';
import { type components, createPartnerClient, type paths, type WebhookPayload } from '../src/index.ts';

const client = createPartnerClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' });
const list = '/api/v1/partner/organisations/{organisationId}/payment-requests';
const params = { path: { organisationId: 'org' } };

test('paths, bodies and answers are those of the document', async () => {
  const { data, error } = await client.GET(list, { params });
  expectTypeOf(data?.items).toEqualTypeOf<components['schemas']['PaymentRequest'][] | undefined>();
  if (error) expectTypeOf<'invalid_cursor'>().toExtend<typeof error.code>();
  // @ts-expect-error the document has no such path
  void client.GET('/api/v1/partner/organisations/{organisationId}/payments', { params });
  // @ts-expect-error the account is missing
  void client.GET(list, { params: { path: {} } });
  // @ts-expect-error an amount is a number
  void client.POST(list, { params, body: { amount: '1', recipient: { email: 'a@b.example' } } });
});

test('a cash-out is created below its deposit, whose id is in the path alone', () => {
  const cashOuts = '/api/v1/partner/organisations/{organisationId}/security-deposits/{depositId}/cash-outs';
  const below = { path: { organisationId: 'org', depositId: 'dep' } };
  void client.POST(cashOuts, { params: below, body: { amount: 40.5, description: 'A broken window' } });
  type Body = paths[typeof cashOuts]['post']['requestBody']['content']['application/json'];
  expectTypeOf<keyof Body>().toEqualTypeOf<'amount' | 'description' | 'evidence' | 'reference' | 'metadata'>();
});

test('a login has its scope, and the secret in the body or in HTTP Basic', () => {
  const login = '/api/v1/partner/login';
  const whole = { grant_type: 'client_credentials', client_id: 'id', client_secret: 'secret', scope: 'USER' } as const;
  void client.POST(login, { body: whole });
  void client.POST(login, { body: { grant_type: 'client_credentials', scope: 'USER' } });
  // @ts-expect-error the scope is missing
  void client.POST(login, { body: { grant_type: 'client_credentials', client_id: 'id', client_secret: 'secret' } });
  // @ts-expect-error the id is missing
  void client.POST(login, { body: { grant_type: 'client_credentials', client_secret: 'secret', scope: 'USER' } });
});

test('items are those of a list, and only lists have them', () => {
  const items = client.items(list, { params });
  expectTypeOf(items).toEqualTypeOf<AsyncGenerator<components['schemas']['PaymentRequest'], void, void>>();
  // @ts-expect-error an account is not a list
  client.items('/api/v1/partner/organisations/{organisationId}/me', { params });
});

test('the types of a platform replace those of the specification', async () => {
  interface Own {
    '/notes': {
      get: {
        responses: {
          200: { content: { 'application/json': { items: { text: string }[]; next?: string } } };
          404: { content: { 'application/problem+json': { code: 'not_found' } } };
        };
      };
    };
  }
  const own = createPartnerClient<Own>({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' });
  const { data, error } = await own.GET('/notes');
  expectTypeOf(data?.items[0]?.text).toEqualTypeOf<string | undefined>();
  expectTypeOf(error?.code).toEqualTypeOf<'not_found' | undefined>();
  expectTypeOf(own.items('/notes', {})).toEqualTypeOf<AsyncGenerator<{ text: string }, void, void>>();
});

test('a webhook has the payload of its pair', () => {
  expectTypeOf<WebhookPayload<'RequestPayment.payed'>['type']>().toEqualTypeOf<'payed'>();
  expectTypeOf<WebhookPayload<'RequestPayment.payed'>['data']['amount']>().toEqualTypeOf<number>();
});
