import { stripTypeScriptTypes } from 'node:module';
import { expect } from 'vitest';

/** What an example has at hand. */
export interface Surroundings {
  /** The modules that it may import, by specifier. */
  readonly modules: Readonly<Record<string, object>>;
  /** Names that need no import. */
  readonly scope?: Readonly<Record<string, unknown>>;
}

/** Runs the source of an example. Fails if it imports a name that its module lacks. */
export const runExample = async (source: string, { modules, scope = {} }: Surroundings): Promise<void> => {
  const body = source.replace(/import (?:(\w+)|\{([^}]*)\}) from '([^']+)';/g, (_whole, name, names, from) => {
    const known = modules[from] ?? {};
    const wanted = (names ?? `default: ${name}`).replaceAll(' as ', ': ');
    const missing = (names ?? '').split(',').map((each: string) => each.trim().replace(/^type .*/, ''));
    expect(missing.filter((each: string) => each !== '' && !(each in known))).toEqual([]);
    return `const {${wanted}} = modules['${from}'];`;
  });
  const Run = (async () => {}).constructor as new (
    ...source: readonly string[]
  ) => (...values: unknown[]) => Promise<void>;
  // A block, in which an import may have the name of what is at hand.
  const text = `{${stripTypeScriptTypes(body)}\n}`;
  await new Run('modules', ...Object.keys(scope), text)(modules, ...Object.values(scope));
};

/** The TypeScript examples of a page, except those that only a server can run. */
export const fencesOf = (page: string): readonly string[] =>
  [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, source = '']) => source);
