import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { secretFile } from '../src/secret-file.ts';

const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

test('development makes a missing file of 32 random bytes, for its owner only, and reads it from then on', () => {
  const folder = emptyFolder();
  const path = join(folder, 'platform.secret');
  const made = secretFile(path)({ development: true });
  expect(Buffer.from(String(made), 'base64')).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['platform.secret']);
  for (const development of [true, false]) expect(secretFile(path)({ development })).toBe(made);
  expect(secretFile(join(emptyFolder(), 'other.secret'))({ development: true })).not.toBe(made);
});

test.each([undefined, '', 'development', 'test', 'production'])(
  'without development no file is made: NODE_ENV=%s',
  (env) => {
    vi.stubEnv('NODE_ENV', env);
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = emptyFolder();
    const path = join(folder, 'platform.secret');
    expect(() => secretFile(path)({ development: false })).toThrow(
      `secretFile: ${path} cannot be read (ENOENT): mount it, or make it with: node -p "crypto.randomBytes(32).toString('base64')" > ${path}`,
    );
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a file that is there is never replaced, even when it is empty or no file', () => {
  const folder = emptyFolder();
  const path = join(folder, 'platform.secret');
  writeFileSync(path, '');
  expect(secretFile(path)({ development: true })).toBe('');
  expect(readFileSync(path, 'utf8')).toBe('');
  expect(() => secretFile(folder)({ development: true })).toThrow(`secretFile: ${folder} cannot be read (EISDIR)`);
});

test('nothing is read until a kit asks', () => {
  expect(() => secretFile('/no/such/folder/platform.secret')).not.toThrow();
});
