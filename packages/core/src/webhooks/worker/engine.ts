import { type Rules, rules } from './context/rules.ts';
import { createMemory } from './memory/memory.ts';
import { type Steps, steps } from './steps/steps.ts';

/** What a worker is made of. Tests replace parts of it. */
export interface Engine {
  readonly rules: Rules;
  readonly steps: Steps;
  readonly createMemory: typeof createMemory;
}

/** The engine of every worker. */
export const engine: Engine = { rules, steps, createMemory };
