import type { Line } from '../measure.ts';
import type { Sized } from '../sizes.ts';
import { batch } from './batch.ts';
import { deliver } from './deliver.ts';
import { features } from './features.ts';
import { full } from './full.ts';
import { growth } from './growth.ts';
import { latency } from './latency.ts';
import { prune } from './prune.ts';
import { startServers } from './servers.ts';
import { transaction } from './transaction.ts';
import { waiting } from './waiting.ts';
import { workers } from './workers.ts';

/** Each part with its table. */
const parts = [
  ['delivery', deliver],
  ['latency', latency],
  ['pull', waiting],
  ['publish', transaction],
  ['publish', batch],
  ['scale', workers],
  ['scale', full],
  ['growth', growth],
  ['scale', prune],
  ['features', features],
] as const;

/** Storage on PostgreSQL: real servers, real TLS, each side in a separate process. */
export async function* postgres(
  sized: Sized,
  wants: (part: string) => boolean,
): AsyncGenerator<Line & { readonly part: string }> {
  const servers = await startServers();
  try {
    for (const [part, run] of parts.filter(([part]) => wants(part))) {
      const stage = servers.open();
      try {
        for await (const line of run(stage, sized)) yield { ...line, part };
      } finally {
        await stage.close();
      }
    }
  } finally {
    await servers.stop();
  }
}
