import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError, messageOf } from './cli-error.ts';

/** What a module of the platform exports. @throws CliError when it does not load */
export const loadModule = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
  if (!existsSync(path)) throw new CliError(`${path} does not exist.`);
  try {
    return await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    throw new CliError(`${path} does not load: ${messageOf(cause)}`);
  }
};
