import { login, type Session } from './login.ts';
import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { expectThat, type Steps } from './steps.ts';

/** The fields of an object that the tour reads. */
export interface Shown {
  readonly id: string;
  readonly status: string;
}
type Write = (text: string) => void;
const itself = <T>(value: T): T => value;
/** Ends the tour after a refusal. */
export const refused = (cause: unknown): never => {
  throw cause;
};

/** The account of a partner with a client and a webhook endpoint: its HTTP requests, and the webhooks that follow. */
export const connectPartner = async (
  { step }: Steps,
  { kit, baseUrl }: ManagingHost,
  partner: Partner,
  { accountId, title }: { readonly accountId: string; readonly title: string },
) => {
  const session: Session = await step(title, async (write) => {
    const { client, secret } = await kit.clients.create(accountId, { name: 'Booking system' }).match(itself, refused);
    const created = await kit.endpoints
      .create(accountId, { url: partner.url, events: [...eventTypes] })
      .match(itself, refused);
    partner.learnSecret(created.secret);
    const response = await login(baseUrl, { clientId: client.id, clientSecret: secret });
    const { access_token: accessToken } = (await response.json()) as { readonly access_token: string };
    write(`client_id  ${client.id}\nwebhooks   ${partner.url}`);
    return { clientId: client.id, clientSecret: secret, accessToken };
  });

  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Response> =>
    fetch(`${baseUrl}/api/v1/partner/organisations/${accountId}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${session.accessToken}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  return {
    session,
    ask,
    post: async (write: Write, path: string, body: object = {}): Promise<Shown> => {
      const response = await ask('POST', path, body);
      const text = await response.text();
      write(`POST …/${path}  ${JSON.stringify(body)}\n→ ${response.status}\n${text}`);
      expectThat('it is obeyed', response.ok);
      return JSON.parse(text);
    },
    /** A step, and the webhooks that it sends, in any order. */
    sends: <T>(name: string, types: readonly string[], act: (write: Write) => Promise<T>): Promise<T> =>
      step(name, async (write) => {
        const before = partner.arrivals.length;
        const done = await act(write);
        await partner.untilArrived(before + types.length);
        const arrived = partner.arrivals.slice(before).map(({ body, status }) => ({ text: body.toString(), status }));
        for (const { text, status } of arrived) write(`webhook, signed, answered ${status}:\n${text}`);
        const found = arrived.map(({ text }) => JSON.parse(text).type);
        expectThat(`the events are ${types.join(' and ')}`, found.toSorted().join() === types.toSorted().join());
        expectThat(
          'the receiver took each',
          arrived.every(({ status }) => status === 204),
        );
        return done;
      }),
  };
};

const eventTypes = [
  'creation',
  'update',
  'user_register',
  'deposit_success',
  'payed',
  'new_transaction_success',
  'check_in',
  'check_out',
  'litigation',
  'finish',
  'cashout',
  'cashout_reclamation',
  'cashout_owner_deny_reclamation',
  'cashout_done',
] as const;
