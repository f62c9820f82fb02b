import { readFileSync } from 'node:fs';

/** The header of each file of SQLite, which each copy of it holds, and a function that those without a copy call. */
const marks = ['SQLite format 3', 'sqlite3_open'];

const known = new Map<string, boolean>();

/** Whether an addon contains or calls SQLite. Its name would not tell: bundlers rename addons. */
const usesSqlite = (path: string): boolean => {
  const found = known.get(path);
  if (found !== undefined) return found;
  let uses: boolean;
  try {
    const bytes = readFileSync(path);
    uses = marks.some((mark) => bytes.includes(mark));
  } catch {
    uses = /sqlite|libsql/i.test(path);
  }
  known.set(path, uses);
  return uses;
};

/** The shared objects of this process. */
const sharedObjects = (): readonly string[] => {
  // The types of Node.js lack this setting.
  const report: (typeof process.report & { excludeNetwork?: boolean }) | undefined = process.report;
  if (typeof report?.getReport !== 'function') return [];
  const { excludeNetwork = false } = report;
  try {
    // It would ask for the names of all addresses.
    report.excludeNetwork = true;
    return (report.getReport() as { readonly sharedObjects?: readonly string[] }).sharedObjects ?? [];
  } catch {
    // Other runtimes may have no reports.
    return [];
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
};

/**
 * Why the connections of a library may lose their locks: another SQLite is loaded in this process. `undefined` when
 * there is none.
 */
export const describeOthers = (name: string): string | undefined => {
  const loaded = sharedObjects().filter((path) => path.endsWith('.node') && usesSqlite(path));
  // One of them is the library itself, if that is an addon.
  if (loaded.length <= (name === 'node:sqlite' ? 0 : 1)) return undefined;
  return (
    `this process has more than one SQLite: ${[...(name === 'node:sqlite' ? [name] : []), ...loaded].join(', ')}. ` +
    'If two of them open one file, each drops the locks of the other, and the file is destroyed. Open the file with ' +
    'one library, and make the storage of its connection: sqliteStorage(database). If they open other files, say so: ' +
    '{ otherLibrariesOpenOtherFiles: true }.'
  );
};
