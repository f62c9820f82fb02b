import { redisSeenKeys } from '@partnerkit/redis';
import { startRedis } from '@partnerkit/testing/services';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import type { Figure } from '../measure.ts';
import { figure, inTurns, rateOf, type Side } from '../postgres/turns.ts';
import { claimAndConfirm } from './claim-and-confirm.ts';
import { each, newKeys } from './keys.ts';

const count = 20_000;

/** Both clients of a real server, with 64 calls in flight each. */
export async function* redis(): AsyncGenerator<Figure> {
  const server = await startRedis();
  const node = await createClient({ url: server.url }).connect();
  const io = new Redis(server.url);
  try {
    const side =
      (take: (key: string) => Promise<unknown>): Side =>
      async () => {
        await server.flush();
        const keys = newKeys(count);
        return rateOf(count, () => each(keys, take));
      };
    const seen = { node: redisSeenKeys(node), io: redisSeenKeys(io) };
    const rates = await inTurns(
      {
        bareNode: side((key) => node.set(key, '1', { condition: 'NX', expiration: { type: 'EX', value: 60 } })),
        node: side((key) => claimAndConfirm(seen.node, key)),
        bareIo: side((key) => io.set(key, '1', 'EX', 60, 'NX')),
        io: side((key) => claimAndConfirm(seen.io, key)),
      },
      9,
    );
    yield figure('node-redis: claim + confirm, of SET NX EX', 0.6, rates.node, rates.bareNode);
    yield figure('ioredis: claim + confirm, of SET NX EX', 0.6, rates.io, rates.bareIo);
  } finally {
    node.destroy();
    io.disconnect();
    await server.stop();
  }
}
