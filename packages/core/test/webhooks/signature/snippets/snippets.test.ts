import { expect, test } from 'vitest';
import { specificationSnippets } from '../../../../src/webhooks/signature/snippets/verify-snippets.ts';
import { answersOf, questions } from './programs.ts';

test('there is code in the languages of receivers', () => {
  const languages = ['TypeScript', 'Python', 'PHP', 'Go', 'Ruby', 'Java', 'C#', 'Shell'];
  expect(specificationSnippets().map(({ language }) => language)).toEqual(languages);
  for (const { code } of specificationSnippets()) expect(code).not.toContain('\t\t\t\t');
});

test.each(['TypeScript', 'Python'])('the code in %s accepts each vector, and none that is changed', (language) => {
  const answers = answersOf(language);
  if (language === 'TypeScript' || answers) expect(answers).toEqual(questions.map(({ isGenuine }) => isGenuine));
});
