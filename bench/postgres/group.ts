import type { Figure } from '../measure.ts';
import { batch } from './batch.ts';
import { deliver } from './deliver.ts';
import { features } from './features.ts';
import { full } from './full.ts';
import { latency } from './latency.ts';
import { startServers } from './servers.ts';
import { transaction } from './transaction.ts';
import { workers } from './workers.ts';

const parts = [deliver, features, latency, transaction, batch, workers, full];

/** Storage on PostgreSQL: real servers, real TLS, each side in a separate process. */
export async function* postgres(): AsyncGenerator<Figure> {
  const servers = await startServers();
  try {
    for (const part of parts) {
      const stage = servers.open();
      try {
        yield* part(stage);
      } finally {
        await stage.close();
      }
    }
  } finally {
    await servers.stop();
  }
}
