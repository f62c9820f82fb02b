// Bundles the custom element from its source: one ES module without further requests.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('../src/element/index.ts', import.meta.url));
// A framework that renders on a server imports the module there, too, without a document.
const banner =
  'const document=globalThis.document??{createTreeWalker:()=>({})},HTMLElement=globalThis.HTMLElement??class{};';

const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  banner: { js: banner },
  // The licence of lit.
  legalComments: 'eof',
});

/** The text of the module. */
export const bundle = outputFiles[0].text;
/** Names this text in its URL. */
export const bundleHash = createHash('sha256').update(bundle).digest('hex').slice(0, 16);
