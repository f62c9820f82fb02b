import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const importOn = (versions: Readonly<Record<string, string>>) => {
  vi.stubGlobal('process', { ...process, versions });
  return import('../../src/undici/index.ts');
};

test.each(['20.20.2', '22.18.0'])('importing under Node.js %s says which one is needed', async (node) => {
  await expect(importOn({ node })).rejects.toThrow(
    `@partnerkit/node/undici needs Node.js 22.19 or newer; this is Node.js ${node}.`,
  );
});

test.each([
  { node: '22.19.0' },
  { node: '24.0.0' },
  // Their own version counts there, not the Node.js that they imitate.
  { node: '20.11.1', deno: '2.1.0' },
  { node: '22.6.0', bun: '1.2.0' },
])('importing under %o works', async (versions) => {
  expect(await importOn(versions)).toHaveProperty('undiciSender');
});
