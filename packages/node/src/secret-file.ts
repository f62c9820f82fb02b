import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import type { SecretSource } from '@partnerkit/core';

const remedy = (path: string): string =>
  `mount it, or make it with: node -p "crypto.randomBytes(32).toString('base64')" > ${path}`;

const codeOf = (cause: unknown): unknown => Object(cause).code;

/** Makes the file, unless it exists. A link is atomic: no process reads half a secret, or another one. */
const makeOnce = (path: string): void => {
  const whole = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(whole, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(whole, path);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  } finally {
    unlinkSync(whole);
  }
};

/**
 * Reads the secret from a file, such as one that Docker or Kubernetes mounts. In development it makes a missing file,
 * readable by its owner only. An unset `NODE_ENV` is not development: each container would make a secret of its own.
 * @example
 * const secret = secretFile('platform.secret');
 * @throws Error with the remedy, when the kit is created and the file cannot be read.
 * @public
 */
export const secretFile =
  (path: string): SecretSource =>
  ({ development }) => {
    const read = () => readFileSync(path, 'utf8');
    try {
      return read();
    } catch (cause) {
      if (codeOf(cause) !== 'ENOENT' || !development)
        throw new Error(`secretFile: ${path} cannot be read (${codeOf(cause)}): ${remedy(path)}`, { cause });
      makeOnce(path);
      return read();
    }
  };
