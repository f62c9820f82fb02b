// The skills of the packages: pages for programming assistants, packed with the code that they describe. Their form is
// that of Agent Skills: a folder `skills/<name>` with a SKILL.md.
import { basename, dirname } from 'node:path';

/** In the order in which they are followed: a platform sends, a receiver verifies, a client calls. */
export const skills = [
  'packages/core/skills/partnerkit/SKILL.md',
  'packages/receiver/skills/partnerkit-receiver/SKILL.md',
  'packages/client/skills/partnerkit-client/SKILL.md',
];

/** The fences of all skills as one walk, behind those of other pages. */
export const inOrder = (fences) => fences.toSorted((a, b) => skills.indexOf(a.file) - skills.indexOf(b.file));

/** An assistant finds a skill by its front matter, and reads the rest when it fits. */
export const skillFaults = (file, text) => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const name = /^name: (.+)$/m.exec(head)?.[1];
  const description = /^description: >-\n((?: {2}.+\n?)+)/m.exec(head)?.[1].replaceAll(/\s+/g, ' ').trim() ?? '';
  return [
    !skills.includes(file) && 'is not in the list of tools/docs/skills.mjs',
    name !== basename(dirname(file)) && 'needs a name: that of its folder',
    (description.length === 0 || description.length > 1_024) && 'needs a description of at most 1,024 characters',
    text.split('\n').length > 200 && 'is longer than 200 lines',
  ].flatMap((fault) => (fault ? [`${file}: ${fault}.`] : []));
};
