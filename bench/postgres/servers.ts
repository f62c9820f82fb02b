import { tmpdir } from 'node:os';
import { createDatabase, startPostgres, startRedis } from '@partnerkit/workshop/services';
import pg from 'pg';
import { type Child, type Handlers, startChild } from '../children.ts';
import type { ServerMeter } from '../meter.ts';
import type { EngineInput } from './engines/engine.ts';
import type { ReceiverHandlers } from './receiver.ts';
import { meterRedis, meterServer } from './spent.ts';

/** A server with production settings: every commit reaches the disk, and no checkpoint happens during a round. */
export const settings = { fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB', max_wal_size: '4GB' };

/** The resources of one part of the group; `close` removes them. */
export interface Stage {
  readonly receiver: Child<ReceiverHandlers>;
  /** The input of a side, with a new database. */
  input(): Promise<EngineInput>;
  start<H extends Handlers<H>>(program: URL, input: EngineInput, name?: string): Promise<Child<H>>;
  pool(input: EngineInput, connections: number): pg.Pool;
  /** What PostgreSQL and Redis use. */
  readonly meter: ServerMeter;
  close(): Promise<void>;
}

/** One PostgreSQL, one Redis, one receiver, for all parts. */
export const startServers = async () => {
  const [postgres, redis, receiver] = await Promise.all([
    // On a disk; the default is memory.
    startPostgres({ folder: tmpdir(), settings }),
    startRedis(),
    startChild<ReceiverHandlers>(new URL('./receiver.ts', import.meta.url), {}),
  ]);
  const address = await receiver.ask('address');
  const own = await createDatabase(postgres);
  const meters = [await meterServer(own.url), meterRedis(redis.url)];
  const meter: ServerMeter = {
    read: async () => {
      const all = await Promise.all(meters.map((each) => each.read()));
      return {
        cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
        logBytes: all.reduce((sum, { logBytes }) => sum + logBytes, 0),
      };
    },
  };

  const open = (): Stage => {
    const closing: (() => Promise<unknown>)[] = [];
    return {
      receiver,
      meter,
      input: async () => {
        const { url, drop } = await createDatabase(postgres);
        closing.push(drop);
        return { database: url, redis: redis.url, receiver: address };
      },
      start: async (program, input, name) => {
        const child = await startChild(program, input, name);
        closing.push(child.end);
        return child as never;
      },
      pool: ({ database }, connections) => {
        const pool = new pg.Pool({ connectionString: database, max: connections });
        closing.push(() => pool.end());
        return pool;
      },
      close: async () => {
        for (const close of closing.reverse()) await close();
      },
    };
  };

  return {
    open,
    stop: async (): Promise<void> => {
      for (const each of meters) await each.end();
      await Promise.all([receiver.end(), redis.stop(), postgres.stop()]);
    },
  };
};
