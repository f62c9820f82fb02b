import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeError } from './cli-error.ts';
import { readBytes } from './files.ts';

/**
 * A webhook secret of this machine, made once and kept in a folder for its user alone: a receiver that has it needs no
 * other after a restart.
 * @throws CliError when it can be neither read nor written.
 */
export const localSecret = (folder: string): string => {
  const file = join(folder, 'webhook-secret');
  if (existsSync(file)) {
    const kept = readBytes(file).toString('utf8').trim();
    if (kept !== '') return kept;
  }
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  } catch (cause) {
    throw writeError(file, cause);
  }
  return secret;
};
