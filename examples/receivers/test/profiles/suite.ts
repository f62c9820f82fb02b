import { expect, test } from 'vitest';
import { missing, notInstalled } from '../support/missing.ts';
import { answersOf, languages, profileVectors } from './programs.ts';

/** Asks a language about every vector. */
export const profileSuite = (name: string): void => {
  const language = languages.find((each) => each.name === name) ?? expect.unreachable(name);
  const absent = missing(language.needs);
  if (absent !== undefined) {
    notInstalled(absent, `the verification of profiles in ${name}`);
    return;
  }
  const vectors = profileVectors.filter((vector) => language.isFor?.(vector) ?? true);
  const left = profileVectors.length - vectors.length;
  if (left > 0) console.warn(`${name} cannot verify ${left} of ${profileVectors.length} vectors here`);

  test(`${name} takes what is genuine, and nothing else`, async () => {
    const answers = await answersOf(language, vectors);
    expect(answers).toHaveLength(vectors.length);
    const said = vectors.map(({ form, name }, index) => `${form}: ${name}: ${answers[index]}`);
    expect(said).toEqual(vectors.map(({ form, name, genuine }) => `${form}: ${name}: ${genuine}`));
  });
};
