import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { hold, type Story } from './story.ts';
import type { Credentials } from './tour.ts';

const account = { id: 'org_main', environment: 'prod' };
const alone = { tx: 'new' } as const;
const types = ['creation', 'user_register', 'deposit_success', 'check_in', 'check_out'] as const;
const cashOutTypes = [
  'cashout',
  'cashout_reclamation',
  'cashout_new_offer',
  'cashout_recipient_accept',
  'cashout_done',
] as const;

/** What an answer shows of an object. */
interface Shown {
  readonly id: string;
  readonly status: string;
}

const itself = <T>(value: T): T => value;
/** A refusal ends the story. */
const refused = (cause: unknown): never => {
  throw cause;
};

/** The life of a security deposit: the partner speaks HTTP, the platform says in process what it learns, and each step has its webhook. */
export const managingTour = async (
  { step }: Story,
  { kit, requests, baseUrl }: ManagingHost,
  partner: Partner,
): Promise<Credentials> => {
  const credentials = await step(
    'The partner has an API key and an endpoint for webhooks, and logs in.',
    async (tell) => {
      const { client, secret } = await kit.clients.add(account.id, { name: 'Booking system' }).match(itself, refused);
      const wanted = { url: partner.url, events: [...types, ...cashOutTypes] };
      const created = await kit.endpoints.create(account.id, wanted).match(itself, refused);
      partner.learnSecret(created.secret);
      const response = await fetch(`${baseUrl}/api/v1/partner/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: client.id,
          client_secret: secret,
          grant_type: 'client_credentials',
          scope: 'USER',
        }),
      });
      const { access_token: accessToken } = (await response.json()) as { readonly access_token: string };
      tell(`client_id  ${client.id}\nwebhooks   ${partner.url}`);
      return { clientId: client.id, clientSecret: secret, accessToken };
    },
  );

  /** What the partner sends. */
  const post = async (tell: (text: string) => void, path: string, body: object = {}): Promise<Shown> => {
    const text = JSON.stringify(body);
    const response = await fetch(`${baseUrl}/api/v1/partner/organisations/${account.id}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credentials.accessToken}`, 'content-type': 'application/json' },
      body: text,
    });
    const answer = await response.text();
    tell(`POST …/${path}  ${text}\n→ ${response.status}\n${answer}`);
    hold('it is obeyed', response.ok);
    return JSON.parse(answer);
  };

  /** A step, and what the partner's receiver got from it. */
  const toldBy = <T>(title: string, type: string, act: (tell: (text: string) => void) => Promise<T>): Promise<T> =>
    step(title, async (tell) => {
      const before = partner.arrivals.length;
      const done = await act(tell);
      await partner.untilArrived(before + 1, 20_000);
      const arrival = partner.arrivals[before];
      const body = arrival?.body.toString() ?? '';
      tell(`webhook, signed, answered ${arrival?.status}:\n${body}`);
      hold(`the event is ${type}`, JSON.parse(body).type === type && arrival?.status === 204);
      return done;
    });

  const template = await toldBy('It makes a template.', 'creation', (tell) =>
    post(tell, 'security-deposit-templates', { name: 'Gîte des Érables', depositAmount: 300, currency: 'EUR' }),
  );
  const deposit = await toldBy('It asks a guest for a deposit, from that template.', 'creation', (tell) =>
    post(tell, 'security-deposits', { templateId: template.id, recipient: { email: 'zoe@example.org' } }),
  );
  const path = `security-deposits/${deposit.id}`;

  await toldBy('The guest registers: the platform says so, in process.', 'user_register', async (tell) => {
    const told = await requests.deposits.perform(account, deposit.id, 'registerUser', { name: 'Zoé' }, alone);
    tell(`registerUser → ${told.match(itself, refused).status}`);
  });
  await toldBy('The deposit succeeds.', 'deposit_success', async (tell) => {
    const told = await requests.deposits.perform(account, deposit.id, 'succeedDeposit', {}, alone);
    tell(`succeedDeposit → ${told.match(itself, refused).status}`);
  });
  await toldBy('The guest arrives.', 'check_in', (tell) => post(tell, `${path}/check-in`));
  await toldBy('The guest leaves.', 'check_out', (tell) => post(tell, `${path}/check-out`));
  const cashOut = await toldBy('A lamp is broken: the partner asks for a cash-out.', 'cashout', (tell) =>
    post(tell, `${path}/cash-outs`, { amount: 80, reason: 'A lamp' }),
  );

  /** What the guest or the bank does. */
  const learn = async (tell: (text: string) => void, command: 'claim' | 'accept' | 'complete', input = {}) => {
    const told = await requests.cashOuts.perform(account, deposit.id, cashOut.id, command, input, alone);
    tell(`${command} → ${told.match(itself, refused).cashOuts[0]?.status}`);
  };
  await toldBy('The guest objects.', 'cashout_reclamation', (tell) => learn(tell, 'claim', { claim: 'It was old.' }));
  await toldBy('The partner offers to take less.', 'cashout_new_offer', (tell) =>
    post(tell, `${path}/cash-outs/${cashOut.id}/offer`, { amount: 30 }),
  );
  await toldBy('The guest accepts.', 'cashout_recipient_accept', (tell) => learn(tell, 'accept'));
  await toldBy('The money is there.', 'cashout_done', (tell) => learn(tell, 'complete'));

  return credentials;
};
