import { afterEach, describe, test, vi } from 'vitest';

const engine = vi.hoisted(() => {
  type Part = (...args: readonly unknown[]) => unknown;
  const whole: Record<string, Part> = {};
  const broken: Record<string, Part> = {};
  /** A module whose functions are broken by the test that runs, if it says so. */
  const breakable =
    (...names: readonly string[]) =>
    async (original: () => Promise<unknown>) => {
      const module = (await original()) as Record<string, Part>;
      const parts = names.map((name) => {
        const part = module[name] as Part;
        whole[name] = part;
        return [name, (...args: readonly unknown[]) => (broken[name] ?? part)(...args)];
      });
      return { ...module, ...Object.fromEntries(parts) };
    };
  return { whole, broken, breakable };
});

vi.mock('../../../core/src/worker/attempt.ts', engine.breakable('createAttempt'));
vi.mock('../../../core/src/worker/plan-dispatch.ts', engine.breakable('planDispatch'));
vi.mock('../../../core/src/delivery-rules/breaker.ts', engine.breakable('availableCapacity'));
vi.mock('../../../core/src/worker/memory/lanes.ts', engine.breakable('createLanes', 'matchingLanes'));
vi.mock('../../../core/src/worker/memory/watermark.ts', engine.breakable('createWatermark'));
vi.mock('../../../core/src/worker/membership.ts', engine.breakable('createHeartbeat'));
vi.mock('../../../core/src/delivery-rules/next-step.ts', engine.breakable('nextStep'));
vi.mock('../../../core/src/worker/outbox.ts', engine.breakable('createOutbox'));
vi.mock('../../../core/src/worker/ownership.ts', engine.breakable('createOwnership'));
vi.mock('../../../core/src/worker/reading.ts', engine.breakable('createReading'));
vi.mock('../../../core/src/worker/memory/schedule.ts', engine.breakable('createSchedule'));
vi.mock('../../../core/src/worker/sending.ts', engine.breakable('createSending'));
vi.mock('../../../core/src/worker/settler.ts', engine.breakable('createSettler'));
vi.mock('../../../core/src/events/envelope.ts', engine.breakable('envelopeText'));
vi.mock('../../../core/src/delivery-rules/timestamp.ts', engine.breakable('aheadByMs'));

const { brokenEngines } = await import('./broken-engine.ts');
const { expectToBeFound } = await import('./expect-to-be-found.ts');

afterEach(() => {
  for (const name of Object.keys(engine.broken)) delete engine.broken[name];
});

describe('the laws find what is wrong with the engine', () => {
  test.each(brokenEngines)('$how', async ({ law, kind, break: change }) => {
    Object.assign(engine.broken, change(engine.whole as never));
    await expectToBeFound(law, {}, kind);
  });
});
