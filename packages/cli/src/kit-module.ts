import { CliError, messageOf } from './cli-error.ts';
import { loadModule } from './load-module.ts';
import type { Output } from './output.ts';

/** A value that a module exports, or what its function returns. @throws CliError when the function fails */
export const readExport = async (path: string, name: string, exported: unknown): Promise<unknown> => {
  if (typeof exported !== 'function') return exported;
  try {
    return await exported();
  } catch (cause) {
    throw new CliError(`${path}: its export ${name} failed: ${messageOf(cause)}`);
  }
};

/** The module of a platform, for the time of a command. */
export interface KitModule<K> {
  readonly kit: K;
  /** All that it exports. */
  readonly loaded: Readonly<Record<string, unknown>>;
}

/**
 * Runs a command with the module of a platform: it exports the kit by default, and may export `close`, which ends its
 * connections. When both fail, the failure of the command counts, and that of `close` is a line of progress.
 * @throws CliError when it exports no kit
 */
export const withKitModule = async <K, T>(
  { path, isKit, output }: { readonly path: string; isKit(value: unknown): value is K; readonly output: Output },
  command: (module: KitModule<K>) => Promise<T>,
): Promise<T> => {
  const loaded = await loadModule(path);
  const close = () => readExport(path, 'close', loaded['close']);
  const runCommand = async (): Promise<T> => {
    const kit = await readExport(path, 'default', loaded['default']);
    if (!isKit(kit)) throw new CliError(`${path} exports no kit. Export it by default: export default kit;`);
    return command({ kit, loaded });
  };
  let result: T;
  try {
    result = await runCommand();
  } catch (cause) {
    await close().catch((later: unknown) => output.progress(messageOf(later)));
    throw cause;
  }
  await close();
  return result;
};
