import { inspect } from 'node:util';

/** A step that failed. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  constructor(step: string, cause: unknown) {
    super(`The step "${step}" failed: ${(cause as Partial<Error>).message ?? inspect(cause)}`, { cause });
  }
}

/** Prints each step, and stops at the first one that fails. */
export interface Steps {
  /** Runs one step; `write` prints below its title. */
  step<T>(title: string, act: (write: (text: string) => void) => Promise<T>): Promise<T>;
}

export const createSteps = (print: (text: string) => void): Steps => {
  let number = 0;
  return {
    step: async (title, act) => {
      number += 1;
      print(`\n${number}. ${title}`);
      const write = (text: string): void => print(text.replace(/^/gm, '     '));
      try {
        return await act(write);
      } catch (cause) {
        throw new StepFailed(title, cause);
      }
    },
  };
};

/** @throws Error that states the expectation. */
export const expectThat = (what: string, holds: boolean): void => {
  if (!holds) throw new Error(`expected: ${what}`);
};
