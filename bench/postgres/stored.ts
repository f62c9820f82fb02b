import type { Child } from '../children.ts';
import type { Side } from '../measure.ts';
import { expectCount, metered } from '../meter.ts';
import { engines } from './engines/index.ts';
import type { Kit, KitInput } from './engines/partnerkit.ts';
import type { Stage } from './servers.ts';

/** A side that delivers a backlog. Nothing is sent, so only storage is compared. */
export interface StoredInput extends Pick<KitInput, 'load'> {
  /** The name of its process. */
  readonly name: string;
  /** Number of deliveries of a round. */
  readonly count: number;
  /** Statements that fill its database first. */
  readonly fill?: (kit: Child<Kit>) => Promise<string>;
  /**
   * Whether a checkpoint comes before each round: the first change of each page then writes the whole page to the log,
   * as it does some minutes apart in production. @defaultValue false
   */
  readonly checkpoints?: boolean;
}

/** Delivers the backlog of a database of its own. */
export const storedSide = async (
  stage: Stage,
  { name, count, fill, checkpoints = false, load }: StoredInput,
): Promise<Side> => {
  const input: KitInput = { ...(await stage.input()), sendsNothing: true, ...(load ? { load } : {}) };
  const kit: Child<Kit> = await stage.start(engines.partnerkit, input, name);
  const pool = stage.pool(input, 1);
  if (fill) for (const statements of [await fill(kit), 'vacuum (analyze)']) await pool.query(statements);
  return async () => {
    await kit.ask('fill', count);
    if (checkpoints) await pool.query('checkpoint');
    const before = await kit.ask('stored');
    const sample = await metered(
      async () => ({ units: count, rate: await kit.ask('drain', count) }),
      [kit],
      stage.meter,
    );
    const { rows } = await pool.query('select count(*) from partnerkit.outbox');
    expectCount('Events that wait', Number(rows[0].count), 0);
    expectCount('Stored attempts', (await kit.ask('stored')) - before, count);
    return sample;
  };
};
