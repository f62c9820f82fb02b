import { CliError } from './cli-error.ts';
import { loadModule } from './load-module.ts';

/** A value, or what a function returns. @internal */
export const readExport = async (exported: unknown): Promise<unknown> =>
  typeof exported === 'function' ? await exported() : exported;

/**
 * The module of a platform: it exports the kit by default, and may export `close`, which ends its connections.
 * @throws CliError when it exports no kit
 * @internal
 */
export const readKitModule = async <K>(path: string, isKit: (value: unknown) => value is K) => {
  const loaded = await loadModule(path);
  const kit = await readExport(loaded['default']);
  if (!isKit(kit)) throw new CliError(`${path} exports no kit. Export it by default: export default kit;`);
  return { kit, loaded, close: () => readExport(loaded['close']) };
};
