// Bundles the custom element from its source: one ES module, and those that it loads when they are needed.
import { createHash } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('../src/element/', import.meta.url));
// A framework that renders on a server imports the module there, too, without a document.
const banner =
  'const document=globalThis.document??{createTreeWalker:()=>({})},HTMLElement=globalThis.HTMLElement??class{};';
const shared = {
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  outdir: source,
  banner: { js: banner },
  // The manifest names the modules with effects as they are shipped; here, their sources define elements.
  ignoreAnnotations: true,
  // The licence of lit.
  legalComments: 'eof',
};

/** All that a module takes of core's entry: the rest would stay in the bundle. */
const ofCore = {
  name: 'core',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@partnerkit\/core\/adapter$/ }, ({ importer }) => {
      const taken = importer.endsWith('screens/verify.ts')
        ? 'webhooks/signature/snippets/verify-snippets.ts'
        : 'base/http/path-segment.ts';
      return { path: fileURLToPath(new URL(`../../core/src/${taken}`, import.meta.url)) };
    }),
};

/** The files that the element loads later, by their path. */
const later = new Set();
const loadsLater = {
  name: 'later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = resolve(resolveDir, path);
      later.add(file);
      return { path: `./${basename(file, '.ts')}.js`, external: true };
    }),
};

const trial = await build({
  ...shared,
  entryPoints: [`${source}index.ts`],
  metafile: true,
  absWorkingDir: source,
  plugins: [ofCore, loadsLater],
});
const loadedFirst = new Set(Object.keys(trial.metafile.inputs).map((path) => resolve(source, path)));
const modules = [...loadedFirst].filter((path) => path.startsWith(source));
const directives = ['keyed', 'repeat'].map((name) => `lit/directives/${name}.js`);

// The first module exports what the later ones share with it, so that nothing is loaded twice.
const first = await build({
  ...shared,
  stdin: {
    contents: [...modules, 'lit', ...directives].map((path) => `export * from ${JSON.stringify(path)};`).join('\n'),
    resolveDir: dirname(modules[0]),
    sourcefile: 'portal.ts',
  },
  plugins: [ofCore, loadsLater],
});

const isFirst = {
  name: 'first',
  setup: ({ onResolve, resolve: find }) =>
    onResolve({ filter: /./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === 'asked') return undefined;
      if (path === 'lit' || directives.includes(path)) return { path: './portal.js', external: true };
      const found = await find(path, { kind, importer, resolveDir, pluginData: 'asked' });
      return loadedFirst.has(found.path) && found.path.endsWith('.ts')
        ? { path: './portal.js', external: true }
        : undefined;
    }),
};
const others = await build({
  ...shared,
  entryPoints: [...later],
  entryNames: '[name]',
  splitting: true,
  chunkNames: 'shared-[hash]',
  plugins: [isFirst, ofCore],
});

/** The modules of the element by their file name. `portal.js` is the first. */
export const bundle = Object.fromEntries([
  ['portal.js', first.outputFiles[0].text],
  ...others.outputFiles.map(({ path, text }) => [basename(path), text]),
]);
/** Names these texts in their URLs. */
export const bundleHash = createHash('sha256').update(JSON.stringify(bundle)).digest('hex').slice(0, 16);
