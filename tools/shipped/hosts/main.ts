import { deepStrictEqual, strictEqual } from 'node:assert';
import { call } from './call.js';
import { checkDocument } from './document.js';
import { type Listen, type Network, startPlatform } from './platform.js';

const frameworks: Readonly<Record<string, () => Promise<{ readonly listen: Listen }>>> = {
  express: () => import('./express.js'),
  fastify: () => import('./fastify.js'),
  hono: () => import('./hono.js'),
};
const networks: Readonly<Record<string, () => Promise<{ open(): Promise<Network> }>>> = {
  guarded: () => import('./guarded.js'),
  own: () => import('./own.js'),
};

/** Logs in, reads the account, publishes, and waits for the webhook at the receiver in the same program. */
const live = async (listen: Listen, network: Network): Promise<void> => {
  const platform = await startPlatform(listen, network);
  const ask = (path: string, options: Parameters<typeof call>[1] = {}) =>
    call(`${platform.origin}${path}`, { ca: network.ca, ...options });

  const login = await ask('/api/v1/partner/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...platform.credentials, grant_type: 'client_credentials', scope: 'USER' }),
  });
  strictEqual(login.status, 200, login.text);
  const { access_token: token } = JSON.parse(login.text) as { readonly access_token: string };
  const headers = { authorization: `Bearer ${token}` };

  const me = await ask('/api/v1/partner/organisations/org_main/me', { headers });
  strictEqual(me.status, 200, me.text);
  strictEqual((JSON.parse(me.text) as { readonly id: string }).id, 'org_main');
  const own = await ask('/api/v1/partner/organisations/org_main/echo/hello', { headers });
  deepStrictEqual([own.status, own.text], [200, 'org_main hello']);
  const foreign = await ask('/api/v1/partner/organisations/org_other/me', { headers });
  strictEqual(foreign.status, 404, foreign.text);

  await platform.publish();
  deepStrictEqual([...(await platform.received)].sort(), ['RequestSecurityDeposit deposit_success', 'p1 payed']);
  await platform.stop();
  strictEqual(platform.signals.has('attempt'), true);
};

const main = async (reached = '', ...names: readonly string[]): Promise<void> => {
  const { open } = (await networks[reached]?.()) ?? {};
  if (!open) throw new Error('node main.js <guarded|own> <express|fastify|hono>…');
  checkDocument();
  const network = await open();
  for (const name of names) {
    const { listen } = (await frameworks[name]?.()) ?? {};
    if (!listen) throw new Error(`There is no host on ${name}.`);
    await live(listen, network);
    console.log(`${name}: login, account, route of the host's own, publish, delivery`);
  }
  await network.close();
};

const timeout = setTimeout(() => {
  console.error('Something was waited for that never came.');
  process.exit(1);
}, 60_000).unref();

main(...process.argv.slice(2))
  .catch((cause: unknown) => {
    console.error(cause);
    process.exitCode = 1;
  })
  .finally(() => clearTimeout(timeout));
