import { CliError, messageOf } from './cli-error.ts';
import { loadModule } from './load-module.ts';

/** A value that a module exports, or what its function returns. @throws CliError when the function fails @internal */
export const readExport = async (path: string, name: string, exported: unknown): Promise<unknown> => {
  if (typeof exported !== 'function') return exported;
  try {
    return await exported();
  } catch (cause) {
    throw new CliError(`${path}: its export ${name} failed: ${messageOf(cause)}`);
  }
};

/**
 * The module of a platform: it exports the kit by default, and may export `close`, which ends its connections.
 * @throws CliError when it exports no kit
 * @internal
 */
export const readKitModule = async <K>(path: string, isKit: (value: unknown) => value is K) => {
  const loaded = await loadModule(path);
  const kit = await readExport(path, 'default', loaded['default']);
  if (!isKit(kit)) throw new CliError(`${path} exports no kit. Export it by default: export default kit;`);
  return { kit, loaded, close: () => readExport(path, 'close', loaded['close']) };
};
