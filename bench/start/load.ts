const [what, built] = process.argv.slice(2);

// These doubles load no further module.
const { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } = await import(`${built}/memory.js`);
const ports = {
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
};

const before = process.cpuUsage();
const start = performance.now();
let isLoaded: boolean;
if (what === 'zod') isLoaded = typeof (await import('zod')).object === 'function';
else {
  const { createPartnerkit } = await import(`${built}/index.js`);
  const kit = createPartnerkit({
    ...ports,
    advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] },
    objects: [],
  });
  isLoaded = kit.routes.length > 0;
}
const durationMs = performance.now() - start;
const { user, system } = process.cpuUsage(before);
if (!isLoaded) throw new Error(`${what} was not loaded.`);
process.send?.({ rate: 1_000 / durationMs, cpu: user + system });
