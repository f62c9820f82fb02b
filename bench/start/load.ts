const [what, built] = process.argv.slice(2);

// These doubles load no further module.
const { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } = await import(`${built}/memory.js`);
const ports = {
  accounts: memoryAccounts([{ id: 'acc', name: 'Own', status: 'active', environment: 'prod' }]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
};
const options = { ...ports, advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] }, objects: [] };

const before = process.cpuUsage();
const start = performance.now();

/** Resolves to whether it is loaded. */
const load = async (): Promise<boolean> => {
  if (what === 'zod') return typeof (await import('zod')).object === 'function';
  const { createPartnerkit } = await import(`${built}/index.js`);
  const kit = createPartnerkit(options);
  if (what === 'kit') return kit.routes.length > 0;
  const { client, secret } = (await kit.clients.create('acc', { name: 'key' }))._unsafeUnwrap();
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'USER' });
  const basic = Buffer.from(`${client.id}:${secret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const [login] = kit.routes;
  const request = { method: 'POST', target: login.path, headers, body: new TextEncoder().encode(String(form)) };
  return (await login.handle(request)).status === 200;
};

const isLoaded = await load();
const durationMs = performance.now() - start;
const { user, system } = process.cpuUsage(before);
if (!isLoaded) throw new Error(`${what} was not loaded.`);
process.send?.({ rate: 1_000 / durationMs, cpu: user + system });
