import { Logger, makeWorkerUtils, type Runner, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { giveUp, serve, sharedNow } from '../../children.ts';
import { bodyAt, inFlight } from '../load.ts';
import { attemptLog } from './attempts.ts';
import { type Engine, type EngineInput, idleMeter, meter } from './engine.ts';
import { poster, sign } from './post.ts';

const logger = new Logger(() => () => undefined);

/** Twice `inFlight`: half of the jobs wait for the write of their attempt, while the pool has 64 POSTs in flight. */
const preset = { worker: { concurrentJobs: 2 * inFlight, localQueue: { size: 500 }, completeJobBatchDelay: 0 } };

if (process.send)
  serve<Engine>(async ({ database, receiver }: EngineInput) => {
    const shared = { connectionString: database, logger };
    await runMigrations(shared);
    const utils = await makeWorkerUtils(shared);
    const attempts = await attemptLog(new pg.Pool({ connectionString: database, max: 4 }));
    const post = poster(receiver);
    let counts = idleMeter;
    let published = 0;
    const begin = async (): Promise<Runner> => {
      const runner = await run({
        ...shared,
        noHandleSignals: true,
        preset,
        taskList: {
          hook: async (payload, { job }) => {
            const { path, body } = payload as { readonly path: string; readonly body: string };
            const start = performance.now();
            const status = await post(path, body, sign(body));
            counts.sent();
            await attempts.write({ job: job.id, status, durationMs: performance.now() - start });
            counts.stored(1);
          },
        },
      });
      // It would retry a failed job.
      runner.events.on('job:error', ({ error }) => giveUp(error));
      return runner;
    };
    const payload = () => ({ path: '/hooks', body: bodyAt(published++) });
    return {
      fill: async (count) => {
        for (let left = count; left > 0; left -= 1_000)
          await utils.addJobs(
            Array.from({ length: Math.min(left, 1_000) }, () => ({ identifier: 'hook', payload: payload() })),
          );
      },
      drain: async (count) => {
        counts = meter(count);
        const runner = await begin();
        const measured = await counts.rate;
        await runner.stop();
        return measured;
      },
      start: async () => void (await begin()),
      publish: async () => {
        const began = sharedNow();
        await utils.addJob('hook', payload());
        return began;
      },
    };
  });
