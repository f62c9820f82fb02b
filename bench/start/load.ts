const [what, built] = process.argv.slice(2);

// These doubles load no further module.
const { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } = await import(`${built}/memory.js`);
const ports = {
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
};

const start = performance.now();
if (what === 'zod') await import('zod');
else {
  const { createPartnerkit } = await import(`${built}/index.js`);
  createPartnerkit({ ...ports, sealingKeys: [{ id: 'k', key: new Uint8Array(32) }], objects: [] });
}
process.send?.(performance.now() - start);
