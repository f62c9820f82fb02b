import type { Host } from './host.ts';
import { type Credentials, login, type Session } from './login.ts';
import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { expectThat, type Steps } from './steps.ts';

const isDoneWithin = 120_000;

/** Goes on with the data of an earlier start: its key still fits, and what its process did not deliver is delivered. */
export const resume = async (
  { step }: Steps,
  { kit, baseUrl }: Pick<Host | ManagingHost, 'kit' | 'baseUrl'>,
  partner: Partner,
  { waits }: { readonly waits: boolean },
): Promise<Session> => {
  const addKey = async (): Promise<Credentials> => {
    const added = await kit.clients.create('org_main', { name: 'Booking system' });
    if (added.isErr()) throw added.error;
    return { clientId: added.value.client.id, clientSecret: added.value.secret };
  };
  const session = await step('The partner logs in, with its key of the earlier start.', async (write) => {
    // The process may have ended before the partner stored its key.
    const credentials = partner.kept.value.credentials ?? (await addKey());
    partner.kept.change({ credentials });
    const response = await login(baseUrl, credentials);
    expectThat('the login is answered 200', response.status === 200);
    write(`client_id  ${credentials.clientId}`);
    const { access_token: accessToken } = (await response.json()) as { readonly access_token: string };
    return { ...credentials, accessToken };
  });

  await step('The platform delivers what the earlier process did not.', async (write) => {
    const countWaiting = async (): Promise<number> => {
      const backlog = await kit.deliveries.backlogOfAll();
      if (backlog.isErr()) throw backlog.error;
      return backlog.value.undispatched + backlog.value.waiting;
    };
    const waiting = await countWaiting();
    write(`waiting: ${waiting}`);
    if (waiting > 0) write('If that process was killed, they follow once its lease has ended: within 20 seconds.');
    const end = Date.now() + isDoneWithin;
    while (waits && (await countWaiting()) > 0) {
      expectThat('they are delivered within two minutes', Date.now() < end);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  return session;
};
