import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Host } from './host.ts';
import { login, loginBody, type Session } from './login.ts';
import type { Arrival, Partner } from './partner.ts';
import { expectThat, type Steps } from './steps.ts';

const asSent = ({ headers, body }: Arrival): string =>
  [
    'POST /webhooks HTTP/1.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body.toString('utf8'),
  ].join('\n');

/** The main tour, end to end over real sockets. */
export const tour = async ({ step }: Steps, host: Host, partner: Partner): Promise<Session> => {
  const { kit, baseUrl } = host;
  const me = (organisationId: string, token: string) =>
    fetch(`${baseUrl}/api/v1/partner/organisations/${organisationId}/me`, {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    });

  const { client, secret } = await step(
    'The partner adds an API key in the platform’s web interface: one input, its name.',
    async (write) => {
      const added = await kit.clients.create('org_main', { name: 'Booking system' });
      if (added.isErr()) throw added.error;
      write(`client_id      ${added.value.client.id}`);
      write(`client_secret  ${added.value.secret}   (shown once; the platform keeps its SHA-256)`);
      return added.value;
    },
  );

  const accessToken = await step('It logs in with OAuth 2.0 client credentials.', async (write) => {
    const credentials = { clientId: client.id, clientSecret: secret };
    write(`POST ${baseUrl}/api/v1/partner/login\n${loginBody(credentials)}`);
    const response = await login(baseUrl, credentials);
    const text = await response.text();
    write(`${response.status}\n${text}`);
    expectThat('the login is answered 200', response.status === 200);
    const token: { readonly token_type: string; readonly expires_in: number; readonly access_token: string } =
      JSON.parse(text);
    expectThat('a Bearer token of 30 days', token.token_type === 'Bearer' && token.expires_in === 2_592_000);
    return token.access_token;
  });

  await step('It reads its own account, and a child’s.', async (write) => {
    for (const id of ['org_main', 'org_child']) {
      const response = await me(id, accessToken);
      const text = await response.text();
      write(`GET …/organisations/${id}/me → ${response.status}\n${text}`);
      expectThat(`${id} is answered`, response.status === 200 && JSON.parse(text).id === id);
    }
  });

  await step(
    'A stranger’s account, a grandchild’s, the parent’s: refused with the bytes of an account that does not exist.',
    async (write) => {
      const absent = await (await me('org_that_does_not_exist', accessToken)).text();
      for (const id of ['org_stranger', 'org_grandchild', 'org_parent']) {
        const response = await me(id, accessToken);
        const text = await response.text();
        write(`GET …/organisations/${id}/me → ${response.status}`);
        expectThat(`${id} is refused like an absent one`, response.status === 404 && text === absent);
      }
      write(absent);
    },
  );

  const webhookSecret = await step('The partner creates a webhook endpoint.', async (write) => {
    const created = await host.createEndpoint(partner.url);
    if (created.isErr()) throw created.error;
    partner.learnSecret(created.value.secret);
    write(`url     ${created.value.endpoint.url}`);
    write(`events  ${created.value.endpoint.events.join(', ')}`);
    write(`secret  ${created.value.secret}   (shown once; sealed with AES-256-GCM at rest)`);
    return created.value.secret;
  });

  await step(
    `The platform marks two ${host.subject} as paid, each in a transaction with its event. The second one rolls back.`,
    async (write) => {
      write(`committed    event ${await host.markPaid('org_main', 'pay_1')}`);
      const refused = await host
        .markPaid('org_main', 'pay_2', async () => {
          throw new Error('the bank said no');
        })
        .then(
          () => 'nothing',
          (cause: Error) => cause.message,
        );
      write(`rolled back  "${refused}": no change, no event`);
      expectThat('one of them is stored', (await host.isPaid('pay_1')) && !(await host.isPaid('pay_2')));
    },
  );

  const arrival = await step('The webhook arrives over HTTPS. These are its bytes.', async (write) => {
    await partner.untilArrived(1);
    const [first] = partner.arrivals;
    if (!first) throw new Error('nothing arrived');
    write(asSent(first));
    const text = first.body.toString('utf8');
    expectThat('it is the committed event', text.includes('"pay_1"') && first.status === 204);
    expectThat('the IBAN did not leave', !text.includes('FR76'));
    return first;
  });

  await step('The signature fits: HMAC-SHA-1 of exactly these bytes, keyed with the secret.', async (write) => {
    const computed = createHmac('sha1', webhookSecret).update(arrival.body).digest('hex');
    write(`received  ${arrival.headers['x-webhook-signature']}\ncomputed  ${computed}`);
    expectThat('they are equal', computed === arrival.headers['x-webhook-signature']);
  });

  const agent = new Agent({ connect: { ca: partner.ca } });
  const sendAgain = async (body: Buffer, signature: string): Promise<number> => {
    const response = await request(partner.url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', 'x-webhook-signature': signature },
      body,
    });
    await response.body.dump();
    return response.statusCode;
  };

  await step('The same bytes once more: recognised as a duplicate. One byte changed: refused.', async (write) => {
    const signature = arrival.headers['x-webhook-signature'] ?? '';
    const again = await sendAgain(arrival.body, signature);
    write(`the duplicate is confirmed with ${again}; events processed: ${partner.processed.length}`);
    expectThat('it was processed once', again === 204 && partner.processed.length === 1);
    const forged = await sendAgain(Buffer.from(arrival.body.toString('utf8').replace('850.5', '850.6')), signature);
    write(`the forgery is answered ${forged}`);
    expectThat('the forgery is refused', forged === 401 && partner.processed.length === 1);
  });
  await agent.close();

  await step(
    'The partner’s receiver fails once. The platform tries again after 5 seconds, with the same bytes.',
    async (write) => {
      const before = partner.arrivals.length;
      partner.failNext(1);
      await host.markPaid('org_main', 'pay_3');
      await partner.untilArrived(before + 2);
      const [failed, retried] = partner.arrivals.slice(before);
      write(`first attempt → ${failed?.status}\nsecond attempt → ${retried?.status}`);
      expectThat('the first failed and the second was confirmed', failed?.status === 503 && retried?.status === 204);
      expectThat('both had the same bytes', failed?.body.equals(retried?.body ?? Buffer.alloc(0)) ?? false);
      expectThat('two events were processed, and none that rolled back', partner.processed.length === 2);
    },
  );

  return { clientId: client.id, clientSecret: secret, accessToken };
};
