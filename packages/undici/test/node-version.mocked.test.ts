import { afterEach, expect, test, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const importOn = (versions: Readonly<Record<string, string>>, entry: 'index' | 'https' = 'index') => {
  vi.stubGlobal('process', { ...process, versions });
  return import(`../src/${entry}.ts`);
};

test.each([
  ['20.20.2', 'index'],
  ['22.18.0', 'index'],
  ['22.18.0', 'https'],
] as const)('importing under Node.js %s (%s) says which one is needed', async (node, entry) => {
  await expect(importOn({ node }, entry)).rejects.toThrow(
    `@partnerkit/undici needs Node.js 22.19 or newer; this is Node.js ${node}.`,
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

test('package.json names the same version', () => {
  expect(manifest.engines.node).toBe('>=22.19');
});
