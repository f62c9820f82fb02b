import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { missing, notInstalled } from '../support/missing.ts';
import { languages, profileVectors } from './programs.ts';
import { profileSuite } from './suite.ts';

for (const { name } of languages) profileSuite(name);

const absent = missing(['python3', 'openssl']);
if (absent !== undefined) notInstalled(absent, 'what makes the vectors of profiles');
else {
  test('the vectors of profiles are what Python and openssl make', () => {
    const made = execFileSync('python3', [fileURLToPath(new URL('make-vectors.py', import.meta.url))], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONUTF8: '1' },
    });
    expect(profileVectors).toEqual(JSON.parse(made));
  });
}

test('HMAC and comparison in shell are those of the whole receiver', () => {
  const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const parts = read('profiles/verify.sh').split(/\n{2,}/);
  const shared = parts.filter((part) => /^(hmac|bytes|pad|same|salted)\(\)/m.test(part));
  expect(shared).toHaveLength(2);
  for (const line of shared.flatMap((part) => part.split('\n')))
    if (!/^(hex|list|salt)(\(|=)/.test(line)) expect(read('receiver.sh')).toContain(line);
});
