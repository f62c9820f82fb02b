import { readFileSync } from 'node:fs';
import { CliError, fileError } from './cli-error.ts';

/** The bytes of a file; `-` is standard input. @throws CliError */
export const readBytes = (path: string): Buffer => {
  try {
    return readFileSync(path === '-' ? 0 : path);
  } catch (cause) {
    throw fileError(path, cause);
  }
};

/** The value of a JSON file. @throws CliError */
export const readJson = (path: string): unknown => {
  const text = readBytes(path).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(`${path} is not JSON: ${(cause as Error).message}.`);
  }
};
