import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

// The entries are read from `exports`, so a build can never differ from what package.json promises.
const manifest: { exports: Record<string, string | { source?: string }>; bin?: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const entry = Object.fromEntries(
  Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string' || !target.source ? [] : [[path === '.' ? 'index' : path.slice(2), target.source]],
  ),
);

export default defineConfig({
  entry,
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  dts: true,
  sourcemap: true,
  clean: true,
  treeshake: true,
  splitting: false,
  removeNodeProtocol: false,
  tsconfig: 'tsconfig.json',
});
