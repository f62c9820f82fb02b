import { open } from 'node:fs/promises';
import { CliError, fileError } from './cli-error.ts';
import { withKitModule } from './kit-module.ts';
import type { Output } from './output.ts';

export interface ImportOptions {
  /** A module that exports the kit by default. */
  readonly module: string;
  /** A file of `export`. */
  readonly file: string;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
}

type Outcome = 'created' | 'unchanged' | 'differs' | 'refused';

interface Report {
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly rows: readonly { readonly row: number; readonly outcome: Outcome; readonly message?: string }[];
}

type ImportRows = (
  rows: readonly object[],
  options: { readonly dryRun: boolean },
) => PromiseLike<{
  match<T>(ok: (report: Report) => T, err: (failure: { readonly code: string; readonly message: string }) => T): T;
}>;

/** What is used of a kit. */
interface Kit {
  readonly import: {
    readonly clients: ImportRows;
    readonly endpoints: ImportRows;
    readonly alertAddresses: ImportRows;
  };
}

const isKit = (value: unknown): value is Kit =>
  typeof (value as Partial<Kit> | undefined)?.import?.clients === 'function';

/** What an import takes of an export. */
const imported = { client: 'clients', endpoint: 'endpoints', alert_address: 'alertAddresses' } as const;
type Kind = keyof typeof imported;
const isImported = (kind: string): kind is Kind => Object.hasOwn(imported, kind);

/** Maximum number of rows of one call. */
const batchSize = 1_000;

interface Line {
  /** Its place in the file, from 1. */
  readonly place: number;
  readonly kind: string;
  readonly content: object;
}

const parseLine = (path: string, place: number, text: string): Line => {
  try {
    const content: unknown = JSON.parse(text);
    const { kind }: { readonly kind?: unknown } = Object(content);
    if (typeof kind === 'string') return { place, kind, content: content as object };
  } catch {
    // The same error as for JSON of another form.
  }
  throw new CliError(`${path}, line ${place}: no line of an export. Pass the file that export --out wrote.`);
};

async function* linesOf(path: string): AsyncGenerator<Line> {
  const file = await open(path).catch((cause: unknown) => {
    throw fileError(path, cause);
  });
  let place = 0;
  try {
    for await (const text of file.readLines()) {
      place += 1;
      if (text !== '') yield parseLine(path, place, text);
    }
  } finally {
    await file.close();
  }
}

const noRows = (): Record<Outcome, number> => ({ created: 0, unchanged: 0, differs: 0, refused: 0 });
const textOf = (counts: Readonly<Record<Outcome, number>>): string =>
  Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');

/** Imports the clients, endpoints and addresses for alerts of an export. Resolves to the exit code. */
export const importLines = ({ module, file, dryRun }: ImportOptions, output: Output): Promise<number> =>
  withKitModule({ path: module, isKit, output }, async ({ kit }) => {
    const counts = { client: noRows(), endpoint: noRows(), alert_address: noRows() };
    const waiting: Record<Kind, Line[]> = { client: [], endpoint: [], alert_address: [] };
    const left: Record<string, number> = {};

    const flush = async (kind: Kind): Promise<void> => {
      const lines = waiting[kind].splice(0);
      // A kit of an earlier version imports less.
      if (lines.length === 0) return;
      const report = (
        await kit.import[imported[kind]](
          lines.map(({ content }) => content),
          { dryRun },
        )
      ).match(
        (made) => made,
        ({ code, message }) => {
          throw new CliError(`${code}: ${message} Import the same file again: what is stored stays as it is.`);
        },
      );
      for (const { row, outcome, message } of report.rows) {
        counts[kind][outcome] += 1;
        const line = lines[row]?.place ?? 0;
        if (outcome === 'refused')
          output.result([`line ${line}: ${kind} refused: ${message}`], { line, kind, outcome, message });
        if (outcome === 'differs')
          output.result([`line ${line}: ${kind} differs from what is stored, which stays`], { line, kind, outcome });
      }
    };

    for await (const line of linesOf(file)) {
      if (!isImported(line.kind)) left[line.kind] = (left[line.kind] ?? 0) + 1;
      else if (waiting[line.kind].push(line) === batchSize) await flush(line.kind);
    }
    await flush('client');
    await flush('endpoint');
    await flush('alert_address');
    const { catalogue: _catalogue, ...notImported } = left;
    const told = Object.entries(counts).map(([kind, of]) => `${kind}: ${textOf(of)}`);
    const also = Object.entries(notImported).map(([kind, count]) => `${kind}: ${count}, not imported`);
    output.result([...told, ...also, ...(dryRun ? ['A dry run: nothing is stored.'] : [])], {
      ...{ isDryRun: dryRun, ...counts, notImported },
    });
    return Object.values(counts).some(({ refused }) => refused > 0) ? 1 : 0;
  });
