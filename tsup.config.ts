import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { bundledFolders, noticeOf } from './tools/notice.ts';

type Target = string | { source?: string; types?: string };
interface Manifest {
  readonly name: string;
  readonly exports: Record<string, Target>;
  readonly imports?: Record<string, Target>;
  readonly bin?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

// The entries are read from `exports` and `imports`, so a build can never differ from what package.json promises.
const manifest = readManifest('.');
const targets = Object.entries({ ...manifest.exports, ...manifest.imports }).flatMap(([path, target]) =>
  // What lies outside of `src` is built by its package.
  typeof target === 'string' || !target.source?.startsWith('./src/')
    ? []
    : [{ name: path === '.' ? 'index' : path.replace(/^(\.\/|#)/, ''), source: target.source, types: target.types }],
);
const entriesOf = (chosen: typeof targets) => Object.fromEntries(chosen.map(({ name, source }) => [name, source]));
const entry = entriesOf(targets.filter(({ types }) => types === undefined));
/** Modules of types alone. Both formats import the `.d.cts`; `files` of the package leaves the `.d.ts` out. */
const types = entriesOf(targets.filter(({ types }) => types !== undefined));
const commands = Object.fromEntries(
  Object.values(manifest.bin ?? {}).map((source) => [parse(source).name, source] as const),
);
const names = Object.keys(commands);

/**
 * A package that does not install core contains the parts of it that it uses: code and declarations, from its source.
 * TypeScript takes the packages of a workspace for external ones, unless `paths` leads to them.
 */
const core = readManifest('../core');
const installsCore =
  manifest.name === core.name || core.name in { ...manifest.dependencies, ...manifest.peerDependencies };
const paths = Object.fromEntries(
  Object.entries(core.exports).flatMap(([path, target]) =>
    typeof target === 'string' || !target.source ? [] : [[core.name + path.slice(1), [`../core/${target.source}`]]],
  ),
);

/** The packages of others in the bundles: those of every format, entries and commands. */
const bundled = new Set<string>();

/** Writes the licences of bundled packages beside the bundles. */
const withNotice: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'with-notice',
  setup: ({ onEnd }) =>
    onEnd(({ metafile }) => {
      for (const folder of bundledFolders(metafile)) bundled.add(folder);
      if (bundled.size === 0) return;
      mkdirSync('dist', { recursive: true });
      writeFileSync('dist/NOTICE', noticeOf(bundled));
    }),
};

/** Puts the texts of migrations in place of the module that reads them: bundlers of hosts include no other files. */
const withMigrations: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'with-migrations',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]migrations[\\/]texts\.ts$/ }, ({ path }) => {
      const folder = dirname(path);
      const names = readdirSync(folder).filter((file) => file.endsWith('.sql'));
      const texts = names.map((file) => [parse(file).name, readFileSync(join(folder, file), 'utf8')]);
      const contents = `const texts = ${JSON.stringify(Object.fromEntries(texts))};
        export const textOf = (name) => texts[name];`;
      return { contents, loader: 'js' };
    }),
};

const options: Options = {
  format: ['esm', 'cjs'],
  // What `imports` names stays a file of its own.
  external: Object.keys(manifest.imports ?? {}),
  target: 'node20',
  platform: 'node',
  dts: { entry: { ...entry, ...types }, resolve: ['neverthrow'], compilerOptions: installsCore ? {} : { paths } },
  sourcemap: false,
  clean: names.map((name) => `!${name}.js`),
  // Loading `#result` has no effect, but an external import stays unless that is said.
  treeshake: { moduleSideEffects: (id) => id !== '#result' },
  esbuildOptions: (options) => {
    options.conditions = ['source', 'module'];
  },
  esbuildPlugins: [withMigrations, withNotice],
  splitting: false,
  removeNodeProtocol: false,
  tsconfig: 'tsconfig.json',
};

export default defineConfig([
  // A package of commands alone has no entry.
  ...(Object.keys(entry).length > 0 ? [{ ...options, entry }] : []),
  // Nobody imports a command.
  ...(names.length > 0
    ? [{ ...options, entry: commands, format: 'esm', dts: false, clean: Object.keys(entry).length === 0 } as const]
    : []),
]);
