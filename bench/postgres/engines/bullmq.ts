import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { giveUp, serve, sharedNow } from '../../children.ts';
import { bodyAt, inFlight } from '../load.ts';
import { attemptLog } from './attempts.ts';
import { type Engine, type EngineInput, idleMeter, meter } from './engine.ts';
import { poster, sign } from './post.ts';

if (process.send)
  serve<Engine>(async ({ database, redis, receiver }: EngineInput) => {
    const connection = new Redis(redis, { maxRetriesPerRequest: null });
    const queue = new Queue('hook', { connection, defaultJobOptions: { removeOnComplete: true } });
    const attempts = await attemptLog(new pg.Pool({ connectionString: database, max: 4 }));
    const post = poster(receiver);
    let counts = idleMeter;
    let published = 0;
    /**
     * Twice `inFlight`: half of the jobs wait for the write of their attempt, while the pool has 64 POSTs in flight.
     */
    const begin = (): Worker =>
      new Worker<{ readonly path: string; readonly body: string }>(
        'hook',
        async ({ id, data: { path, body } }) => {
          const start = performance.now();
          const status = await post(path, body, sign(body));
          counts.sent();
          await attempts.write({ job: id ?? '', status, durationMs: performance.now() - start });
          counts.stored(1);
        },
        { connection, concurrency: 2 * inFlight },
      ).on('failed', (_job, cause) => giveUp(cause));
    const data = () => ({ path: '/hooks', body: bodyAt(published++) });
    return {
      fill: async (count) => {
        for (let left = count; left > 0; left -= 1_000)
          await queue.addBulk(Array.from({ length: Math.min(left, 1_000) }, () => ({ name: 'hook', data: data() })));
      },
      drain: async (count) => {
        counts = meter(count);
        const worker = begin();
        const measured = await counts.rate;
        await worker.close();
        return measured;
      },
      start: async () => void begin(),
      publish: async () => {
        const began = sharedNow();
        await queue.add('hook', data());
        return began;
      },
    };
  });
