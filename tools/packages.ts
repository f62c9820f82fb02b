// The packages of this repository. Each registers itself: tests, bundles, reference and release read its package.json.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** The Vitest projects of packages. */
export const testProjects = ['unit', 'postgres', 'mysql', 'redis'] as const;

/** Who reads the API reference, in the order of the sidebar. */
export const readers = ['hosts', 'adapter authors', 'partners', 'tests'] as const;

/** A bundle that is measured. */
export interface Bundle {
  /** A key of `exports`, or the name of a command. */
  readonly entry: string;
  /** The names that are imported. Absent: all. */
  readonly only?: readonly string[];
  /** Words that the bundle must not contain. Absent: none. */
  readonly forbidden?: readonly string[];
  /** Its recorded size, minified and gzipped. Absent: `check:bundles --record` was not run. */
  readonly bytes?: number;
}

/** The key `partnerkit` of a package.json. */
export interface Registration {
  /** The project of its tests. */
  readonly tests: (typeof testProjects)[number];
  /** Who reads the reference of an entry, by key of `exports`. Entries that are not named have the readers of `.`. */
  readonly readers?: Readonly<Record<string, (typeof readers)[number]>>;
  /** Packages that no bundle includes, besides peers. */
  readonly external?: readonly string[];
  /** The bundles that are measured: at least one of each entry and command. */
  readonly bundles: readonly Bundle[];
  /** Whether it is installed without core: the build bundles what it uses of core. @defaultValue false */
  readonly isStandalone?: boolean;
}

type Target = string | { readonly [condition: string]: Target };

/** What tools read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly partnerkit?: Registration;
  readonly exports: Readonly<Record<string, Target>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly bin?: Readonly<Record<string, string>> };
}

/** A published package, as it is in the repository. */
export interface Package {
  readonly name: string;
  /** Its folder, below packages/. */
  readonly folder: string;
  readonly source: Manifest;
}

/** Reads the published packages, by name. */
export const readPackages = (): readonly Package[] =>
  readdirSync(`${root}packages`)
    .toSorted()
    .map((folder) => ({ folder, file: `${root}packages/${folder}/package.json` }))
    // Git leaves the folder of a removed package if it contains ignored files.
    .filter(({ file }) => existsSync(file))
    .map(({ folder, file }) => ({ folder, source: JSON.parse(readFileSync(file, 'utf8')) as Manifest }))
    .filter(({ source }) => !source.private)
    .map((each) => ({ ...each, name: each.source.name }));

/** The targets of `exports`: `[{ path: '.', conditions: ['import', 'types'], target: './dist/index.d.ts' }, …]`. */
export const targetsOf = (exports: Manifest['exports'] = {}) => {
  const walk = (path: string, value: Target, conditions: readonly string[]): ReturnType<typeof found> =>
    typeof value === 'string'
      ? found(path, value, conditions)
      : Object.entries(value).flatMap(([condition, inner]) => walk(path, inner, [...conditions, condition]));
  const found = (path: string, target: string, conditions: readonly string[]) => [{ path, conditions, target }];
  return Object.entries(exports).flatMap(([path, value]) => walk(path, value, []));
};

/**
 * The modules of a package, with the names that the reference gives them:
 * `[{ path: './wire', name: 'core/wire', file: 'packages/core/src/wire.ts' }, …]`. What lies outside of `src` is
 * built by its package, and described by a guide.
 */
export const modulesOf = ({ folder, source }: Package) =>
  targetsOf(source.exports)
    .filter(({ conditions, target }) => conditions.join() === 'source' && target.startsWith('./src/'))
    .map(({ path, target }) => ({
      path,
      name: `${folder}${path.slice(1)}`,
      file: `packages/${folder}/${target.slice(2)}`,
    }));

/** Who reads the reference of an entry. */
export const readersOf = ({ source: { partnerkit } }: Package, path: string) =>
  partnerkit?.readers?.[path] ?? partnerkit?.readers?.['.'];

/**
 * What is imported or started: `[{ entry: './wire', file: 'packages/core/dist/wire.js' }, …]`. A module for browsers
 * has no condition `import`.
 */
export const startableOf = ({ folder, source }: Package) => [
  ...targetsOf(source.exports)
    .filter(({ conditions }) => ['import,default', 'default'].includes(conditions.join()))
    .map(({ path, target }) => ({ entry: path, file: `packages/${folder}/${target.slice(2)}` })),
  ...Object.entries(source.publishConfig.bin ?? {}).map(([entry, target]) => ({
    entry,
    file: `packages/${folder}/${target.slice(2)}`,
  })),
];
