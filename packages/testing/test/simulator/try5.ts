import fc from 'fast-check';
import { historyArbitrary } from '../../src/simulator/arbitrary.ts';
import { simulate } from '../../src/simulator/simulate.ts';
const [seed, index, shard] = process.argv.slice(2).map(Number) as [number, number, number];
const history = fc.sample(historyArbitrary, { numRuns: index + 1, seed })[index]!;
const trace = await simulate(history);
for (const c of trace.calls as any[]) {
  if (c.name === 'shards.acquire' && Array.isArray(c.result)) { const s = c.result.find((x: any) => x.shard === shard); if (s) console.log(c.effectAt - trace.startedAt, c.process, 'acquire', JSON.stringify(s), c.heard); }
  if (c.name === 'deliveries.recover') { const s = c.args[1].find((x: any) => x.shard === shard); if (s) console.log(c.effectAt - trace.startedAt, c.process, 'recover', JSON.stringify(s), c.result, c.heard); }
  if (c.name === 'shards.release' && c.args[1].includes(shard)) console.log(c.effectAt - trace.startedAt, c.process, 'release', c.heard);
  if (c.name === 'shards.leave') console.log(c.effectAt - trace.startedAt, c.process, 'leave', c.heard);
  if (c.name === 'shards.heartbeat' && c.result === 'fenced') console.log(c.effectAt - trace.startedAt, c.process, 'fenced', c.heard);
}
