import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skillFaults, skills } from '../docs/skills.mjs';

const file = 'packages/receiver/skills/partnerkit-receiver/SKILL.md';
const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('skills of packages', () => {
  it.each(skills)('%s has the form of a skill', (path: string) => {
    expect(skillFaults(path, readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))).toEqual([]);
  });

  it.each([
    ['another name', text.replace('name: partnerkit-receiver', 'name: receiver'), 'needs a name: that of its folder'],
    ['no front matter', text.slice(4), 'needs a name: that of its folder'],
    ['no description', text.replace('description:', 'about:'), 'needs a description of at most 1,024 characters'],
    [
      'a long description',
      text.replace('signatures', 'a'.repeat(1_024)),
      'needs a description of at most 1,024 characters',
    ],
    ['200 lines more', text + '\n'.repeat(200), 'is longer than 200 lines'],
  ])('refuses %s', (_name, changed, fault) => {
    expect(skillFaults(file, changed)).toContain(`${file}: ${fault}.`);
  });

  it('refuses a skill that nobody follows', () => {
    expect(skillFaults(file.replace('packages/receiver', 'packages/cli'), text)).toEqual([
      'packages/cli/skills/partnerkit-receiver/SKILL.md: is not in the list of tools/docs/skills.mjs.',
    ]);
  });
});
