import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A value that outlives the process. */
export interface Kept<T> {
  readonly value: T;
  change(part: Partial<T>): void;
}

/** A value in a file that only its owner may read; without a file, in memory. A write is whole, or none. */
const keep = <T extends object>(file: string | undefined, initial: T): Kept<T> => {
  let value = file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : initial;
  const change = (part: Partial<T>): void => {
    value = { ...value, ...part };
    if (file === undefined) return;
    writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  change({});
  return {
    get value() {
      return value;
    },
    change,
  };
};

/** What the platform keeps outside its database. */
export interface PlatformKept {
  readonly secret: string;
  readonly port: number;
}

export const keepPlatform = (folder?: string): Kept<PlatformKept> =>
  keep(folder && join(folder, 'platform.json'), {
    secret: randomBytes(32).toString('base64'),
    port: 0,
  });

/** What the partner keeps: its credentials, and the secrets of its webhooks. */
export interface PartnerKept {
  readonly port: number;
  readonly secrets: readonly string[];
  readonly credentials?: { readonly clientId: string; readonly clientSecret: string };
}

export const keepPartner = (folder?: string): Kept<PartnerKept> =>
  keep<PartnerKept>(folder && join(folder, 'partner.json'), { port: 0, secrets: [] });

/** A folder for data: below the given one, or a temporary one that `remove` deletes. */
export const openFolder = (given: string | undefined, name: string) => {
  const parent = given ?? mkdtempSync(join(tmpdir(), 'partnerkit-quickstart-'));
  const path = join(parent, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return { path, remove: (): void => (given === undefined ? rmSync(parent, { recursive: true }) : undefined) };
};
