const [what, built] = process.argv.slice(2);

const start = performance.now();
if (what === 'zod') await import('zod');
else {
  const { createPartnerkit } = await import(`${built}/index.js`);
  const none = {};
  const key = new Uint8Array(32);
  createPartnerkit({
    accounts: none,
    storage: none,
    tokens: none,
    sender: none,
    sealingKeys: [{ id: 'k', key }],
    objects: [],
  });
}
process.send?.(performance.now() - start);
