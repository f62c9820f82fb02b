import { expect, test } from 'vitest';
import { answersOf, questions } from './programs.ts';

test.each(['Java', 'Shell'])('the code in %s accepts each vector, and none that is changed', (language) => {
  const answers = answersOf(language);
  if (answers) expect(answers).toEqual(questions.map(({ isGenuine }) => isGenuine));
});
