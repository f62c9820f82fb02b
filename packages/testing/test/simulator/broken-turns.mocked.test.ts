import { afterEach, describe, test, vi } from 'vitest';

const engine = vi.hoisted(() => {
  type Part = (...args: readonly unknown[]) => unknown;
  const whole: Record<string, Part> = {};
  const broken: Record<string, Part> = {};
  /** A module whose function is broken by the test that runs, if it says so. */
  const breakable = (name: string) => async (original: () => Promise<unknown>) => {
    const module = (await original()) as Record<string, Part>;
    const part = module[name] as Part;
    whole[name] = part;
    return { ...module, [name]: (...args: readonly unknown[]) => (broken[name] ?? part)(...args) };
  };
  return { whole, broken, breakable };
});

vi.mock('../../../core/src/delivery-rules/breaker.ts', engine.breakable('availableCapacity'));
vi.mock('../../../core/src/worker/memory/schedule.ts', engine.breakable('createSchedule'));

const { brokenTurns } = await import('./broken-turns.ts');
const { expectToBeFound } = await import('./expect-to-be-found.ts');

afterEach(() => {
  for (const name of Object.keys(engine.broken)) delete engine.broken[name];
});

describe('the laws find an engine that lets the wrong delivery go first', () => {
  test.each(brokenTurns)('$how', async ({ law, kind, break: change }) => {
    Object.assign(engine.broken, change(engine.whole as never));
    await expectToBeFound(law, {}, kind);
  });
});
