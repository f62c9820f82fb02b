import { redisSeenKeys } from '@partnerkit/redis';
import { startRedis } from '@partnerkit/workshop/services';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { atLeast, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered, rateOf, thisProcess } from '../meter.ts';
import { meterRedis } from '../postgres/spent.ts';
import type { Sized } from '../sizes.ts';
import { claimAndConfirm } from './claim-and-confirm.ts';
import { each, newKeys } from './keys.ts';

/** Both clients of a real server, with 64 calls in flight each. */
export async function* redis(sized: Sized): AsyncGenerator<Line> {
  const count = sized(20_000, 100);
  const server = await startRedis();
  const node = await createClient({ url: server.url }).connect();
  const io = new Redis(server.url);
  const meter = meterRedis(server.url);
  try {
    const side =
      (take: (key: string) => Promise<unknown>): Side =>
      async () => {
        await server.flush();
        const keys = newKeys(count);
        const sample = await metered(() => rateOf(count, () => each(keys, take)), [thisProcess], meter);
        expectCount('Keys in Redis', await io.dbsize(), count);
        return sample;
      };
    const seen = { node: redisSeenKeys(node), io: redisSeenKeys(io) };
    const rates = await inTurns(
      {
        'node-redis, SET NX EX': side((key) =>
          node.set(key, '1', { condition: 'NX', expiration: { type: 'EX', value: 60 } }),
        ),
        'node-redis, partnerkit': side((key) => claimAndConfirm(seen.node, key)),
        'ioredis, SET NX EX': side((key) => io.set(key, '1', 'EX', 60, 'NX')),
        'ioredis, partnerkit': side((key) => claimAndConfirm(seen.io, key)),
      },
      sized(9, 1),
    );
    for (const client of ['node-redis', 'ioredis'] as const)
      yield compared(
        `${client}: claim and confirm`,
        rates[`${client}, partnerkit`],
        '`SET NX EX`',
        rates[`${client}, SET NX EX`],
        atLeast(0.6),
      );
  } finally {
    node.destroy();
    io.disconnect();
    await meter.end();
    await server.stop();
  }
}
