import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { CliError, writeError } from './cli-error.ts';
import { readExport, readKitModule } from './kit-module.ts';
import type { Output } from './output.ts';

/** @internal */
export interface ExportOptions {
  /** A module that exports the kit by default, and the ids of the accounts as `accounts`. */
  readonly module: string;
  /** Whether webhook secrets and values of delivery headers are opened. */
  readonly clear: boolean;
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
  }): AsyncIterable<{ readonly kind: string }>;
}

const isKit = (value: unknown): value is Kit => typeof (value as Partial<Kit> | undefined)?.export === 'function';

const read = async (path: string) => {
  const { kit, loaded, close } = await readKitModule(path, isKit);
  const accounts = await readExport(loaded['accounts']);
  if (!isList(accounts))
    throw new CliError(`${path} exports no accounts. Export their ids: export const accounts = () => [...];`);
  return { kit, accounts, close };
};

/** A file that only this user can read, and that appears when it is whole. */
const openFile = (path: string) => {
  const part = `${path}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  const failed = once(file, 'error').then(([cause]) => {
    throw writeError(part, cause);
  });
  failed.catch(() => undefined);
  return {
    write: async (text: string): Promise<void> => {
      if (!file.write(text)) await Promise.race([once(file, 'drain'), failed]);
    },
    keep: async (): Promise<void> => {
      file.end();
      await Promise.race([once(file, 'close'), failed]);
      renameSync(part, path);
    },
    drop: (): void => {
      file.destroy();
      rmSync(part, { force: true });
    },
  };
};

/** Writes everything of the accounts as JSON lines, to a file or to standard output. @internal */
export const exportLines = async (
  { module, clear, out }: ExportOptions,
  output: Output,
  print: (text: string) => void,
): Promise<number> => {
  const { kit, accounts, close } = await read(module);
  const file = out === undefined ? undefined : openFile(out);
  const counts: Record<string, number> = {};
  try {
    for await (const line of kit.export({ accounts, secrets: clear ? 'clear' : 'sealed' })) {
      const text = `${JSON.stringify(line)}\n`;
      if (file) await file.write(text);
      else print(text);
      counts[line.kind] = (counts[line.kind] ?? 0) + 1;
    }
    await file?.keep();
  } catch (cause) {
    file?.drop();
    throw cause instanceof CliError ? cause : new CliError(`The export failed: ${(cause as Error).message}`);
  } finally {
    await close();
  }
  const { catalogue: _catalogue, ...exported } = counts;
  const told = Object.entries(exported).map(([kind, count]) => `${kind}: ${count}`);
  if (out === undefined) output.progress(`Exported ${told.join(', ')}.`);
  else output.result([`Wrote ${out}: ${told.join(', ')}.`], { file: out, ...exported });
  return 0;
};
