import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeError } from './cli-error.ts';
import type { Output } from './output.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** Anyone can send a request that is refused: the first ones of a run show what is wrong, and more only fill a disk. */
const maxRefused = 20;

/** Writes a request to a file. */
export type Recorder = (request: RecordedRequest, isRefused: boolean) => void;

/**
 * Records requests in a folder, for the user alone: each whose signature is valid, and the first 20 that are refused.
 * @throws CliError when the folder cannot be made.
 */
export const createRecorder = (folder: string | undefined, output: Output): Recorder => {
  if (folder === undefined) return () => undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw writeError(folder, cause);
  }
  let count = 0;
  let refused = 0;
  return ({ headers, body }, isRefused) => {
    if (isRefused) refused += 1;
    if (isRefused && refused === maxRefused + 1)
      output.progress(`  ${maxRefused} refused requests are recorded; further ones are not.`);
    if (isRefused && refused > maxRefused) return;
    count += 1;
    const file = join(folder, `${Date.now()}-${count}.json`);
    const content = JSON.stringify({ headers, bodyBase64: body.toString('base64') }, null, 2);
    try {
      writeFileSync(file, content, { mode: 0o600 });
    } catch (cause) {
      output.progress(`  ${writeError(file, cause).message}`);
    }
  };
};
