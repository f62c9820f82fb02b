import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { giveUp, serve, sharedNow } from '../../children.ts';
import { bodyAt } from '../load.ts';
import { attemptLog } from './attempts.ts';
import { type Engine, type EngineInput, idleMeter, meter } from './engine.ts';
import { poster, sign } from './post.ts';

interface Hook {
  readonly path: string;
  readonly body: string;
}

/**
 * A batch is fetched, sent and completed as one. While one batch is fetched or completed, the other has 64 POSTs in
 * flight.
 */
const tuning = { batchSize: 500, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };

if (process.send)
  serve<Engine>(async ({ database, receiver }: EngineInput) => {
    const boss = new PgBoss({ connectionString: database, max: 10, useListenNotify: true });
    boss.on('error', giveUp);
    await boss.start();
    if (!(await boss.getQueue('hook'))) await boss.createQueue('hook', { notify: true });
    const attempts = await attemptLog(new pg.Pool({ connectionString: database, max: 4 }));
    const post = poster(receiver);
    let counts = idleMeter;
    let published = 0;
    const deliver = async (jobs: readonly { readonly id: string; readonly data: Hook }[]): Promise<void> => {
      const rows = jobs.map(async ({ id, data: { path, body } }) => {
        const start = performance.now();
        const status = await post(path, body, sign(body));
        counts.sent();
        return { job: id, status, durationMs: performance.now() - start };
      });
      await attempts.writeAll(await Promise.all(rows));
      counts.stored(jobs.length);
    };
    // It would retry failed jobs.
    const begin = (): Promise<string> => boss.work<Hook>('hook', tuning, (jobs) => deliver(jobs).catch(giveUp));
    const data = (): Hook => ({ path: '/hooks', body: bodyAt(published++) });
    return {
      fill: async (count) => {
        for (let left = count; left > 0; left -= 1_000)
          await boss.insert(
            'hook',
            Array.from({ length: Math.min(left, 1_000) }, () => ({ data: data() })),
          );
      },
      drain: async (count) => {
        counts = meter(count);
        await begin();
        const measured = await counts.rate;
        await boss.offWork('hook', { wait: true });
        return measured;
      },
      start: async () => void (await begin()),
      publish: async () => {
        const began = sharedNow();
        await boss.send('hook', data());
        return began;
      },
    };
  });
