import { CliError, isCliError, messageOf } from './cli-error.ts';
import { withKitModule } from './kit-module.ts';
import { openFile } from './open-file.ts';
import type { Output } from './output.ts';

/** What a call of a kit resolves to. */
type Read<T> = PromiseLike<{
  match<R>(ok: (value: T) => R, err: (failure: { readonly code: string; readonly message: string }) => R): R;
}>;

interface Problem {
  readonly kind: 'changed' | 'missing' | 'foreign';
  readonly shard: number;
  readonly position: number;
  readonly id?: string;
}

/** What is used of a kit. */
interface Kit {
  readonly audit: {
    verify(): Read<{ readonly linked: number; readonly unlinked: number; readonly problems: readonly Problem[] }>;
    listAll(options: { readonly page: { readonly limit: number; readonly after?: string } }): Read<{
      readonly items: readonly object[];
      readonly next?: string;
    }>;
  };
}

const isKit = (value: unknown): value is Kit =>
  typeof (value as Partial<Kit> | undefined)?.audit?.verify === 'function';

const unwrapped = async <T>(read: Read<T>): Promise<T> =>
  (await read).match(
    (value) => value,
    ({ code, message }) => {
      throw new CliError(`${code}: ${message}`);
    },
  );

const sentences = {
  changed: 'was changed',
  missing: 'follows entries that were removed',
  foreign: 'was not written by this platform, or with a secret that the kit does not have',
} as const;

const lineOf = ({ kind, shard, position, id }: Problem): string =>
  id === undefined
    ? `shard ${shard}: the last entries up to place ${position} were removed.`
    : `shard ${shard}, place ${position}: entry ${id} ${sentences[kind]}.`;

/** Writes all entries as JSON lines. Resolves to their number. */
const writeEntries = async ({ audit }: Kit, path: string): Promise<number> => {
  const file = await openFile(path);
  let count = 0;
  try {
    for (let after: string | undefined, isLast = false; !isLast; isLast = after === undefined) {
      const page = { limit: 100, ...(after === undefined ? {} : { after }) };
      const { items, next } = await unwrapped(audit.listAll({ page }));
      await file.write(items.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      count += items.length;
      after = next;
    }
    await file.keep();
  } catch (cause) {
    await file.drop();
    throw isCliError(cause) ? cause : new CliError(`The entries were not written: ${messageOf(cause)}`);
  }
  return count;
};

/** Verifies the audit trail, and writes it to a file if there is one. Resolves to 1 when something is wrong. */
export const audit = async (module: string, out: string | undefined, output: Output): Promise<number> => {
  const { report, written } = await withKitModule({ path: module, isKit, output }, async ({ kit }) => ({
    report: await unwrapped(kit.audit.verify()),
    written: out === undefined ? undefined : await writeEntries(kit, out),
  }));
  const { linked, unlinked, problems } = report;
  const found = problems.length === 0 ? 'Nothing is wrong' : `${problems.length} problems`;
  const lines = [
    `${found}: ${linked} entries are linked, ${unlinked} wait for their link.`,
    ...problems.map(lineOf),
    ...(written === undefined ? [] : [`Wrote ${out}: ${written} entries.`]),
  ];
  output.result(lines, { ...report, ...(written === undefined ? {} : { file: out, entries: written }) });
  return problems.length === 0 ? 0 : 1;
};
