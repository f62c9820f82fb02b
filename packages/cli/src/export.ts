import { CliError, isCliError, messageOf } from './cli-error.ts';
import { type KitModule, readExport, withKitModule } from './kit-module.ts';
import { openFile } from './open-file.ts';
import type { Output } from './output.ts';

export interface ExportOptions {
  /** A module that exports the kit by default, and the ids of the accounts as `accounts`. */
  readonly module: string;
  /** Whether webhook secrets and values of delivery headers are opened. */
  readonly clear: boolean;
  /** Whether only an access review is written. */
  readonly access: boolean;
  readonly out: string | undefined;
}

type Accounts = Iterable<string> | AsyncIterable<string>;

const isList = (value: unknown): value is Accounts =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);

/** What is used of a kit. */
interface Kit {
  export(options: {
    readonly accounts: Accounts;
    readonly secrets: 'sealed' | 'clear';
    readonly content: 'all' | 'access';
  }): AsyncIterable<{ readonly kind: string }>;
}

const isKit = (value: unknown): value is Kit => typeof (value as Partial<Kit> | undefined)?.export === 'function';

const readAccounts = async (path: string, { loaded }: KitModule<Kit>): Promise<Accounts> => {
  const accounts = await readExport(path, 'accounts', loaded['accounts']);
  if (isList(accounts)) return accounts;
  throw new CliError(`${path} exports no accounts. Export their ids: export const accounts = () => [...];`);
};

/** Writes everything of the accounts as JSON lines, to a file or to standard output. */
export const exportLines = async (
  { module, clear, access, out }: ExportOptions,
  output: Output,
  print: (text: string) => void,
): Promise<number> => {
  const counts: Record<string, number> = {};
  await withKitModule({ path: module, isKit, output }, async (loaded) => {
    const accounts = await readAccounts(module, loaded);
    let file: Awaited<ReturnType<typeof openFile>> | undefined;
    try {
      file = out === undefined ? undefined : await openFile(out);
      const wanted = { secrets: clear ? 'clear' : 'sealed', content: access ? 'access' : 'all' } as const;
      for await (const line of loaded.kit.export({ accounts, ...wanted })) {
        const text = `${JSON.stringify(line)}\n`;
        if (file) await file.write(text);
        else print(text);
        counts[line.kind] = (counts[line.kind] ?? 0) + 1;
      }
      await file?.keep();
    } catch (cause) {
      await file?.drop();
      throw isCliError(cause) ? cause : new CliError(`The export failed: ${messageOf(cause)}`);
    }
  });
  const { catalogue: _catalogue, ...exported } = counts;
  const told = Object.entries(exported).map(([kind, count]) => `${kind}: ${count}`);
  if (out === undefined) output.progress(`Exported ${told.join(', ')}.`);
  else output.result([`Wrote ${out}: ${told.join(', ')}.`], { file: out, ...exported });
  return 0;
};
