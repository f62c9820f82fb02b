import { inspect } from 'node:util';

/** A step that did not hold. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  constructor(step: string, cause: unknown) {
    super(`The step "${step}" did not hold: ${cause instanceof Error ? cause.message : inspect(cause)}`, { cause });
  }
}

/** Says what happens, and stops at the first step that does not hold. */
export interface Story {
  /** One step: what it tells is printed under its title. */
  step<T>(title: string, act: (tell: (text: string) => void) => Promise<T>): Promise<T>;
}

export const createStory = (print: (text: string) => void): Story => {
  let number = 0;
  return {
    step: async (title, act) => {
      number += 1;
      print(`\n${number}. ${title}`);
      const tell = (text: string): void => print(text.replace(/^/gm, '     '));
      try {
        return await act(tell);
      } catch (cause) {
        throw new StepFailed(title, cause);
      }
    },
  };
};

/** @throws Error that says what was expected. */
export const hold = (what: string, holds: boolean): void => {
  if (!holds) throw new Error(`not so: ${what}`);
};
