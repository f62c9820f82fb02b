// Sends how many schemas and checks of zod are built while an entry is loaded, and a kit made of it. Each one defines
// its `_zod`.
import 'zod';

const [, , entry] = process.argv;
const { defineProperty } = Object;
let count = 0;
Object.defineProperty = (object, name, descriptor) => {
  if (name === '_zod') count++;
  return defineProperty(object, name, descriptor);
};
const load = (name) => import(new URL(`../../src/${name}.ts`, import.meta.url).href);
const { createPartnerkit } = await load(entry);
if (createPartnerkit) {
  const { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } = await load('memory');
  createPartnerkit({
    ...{ accounts: memoryAccounts([]), storage: memoryStorage(), tokens: memoryAccessTokens(), sender: memorySender() },
    advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] },
    oauth: { metadata: { issuer: 'https://platform.example' } },
    objects: [],
  });
}
process.send(count);
