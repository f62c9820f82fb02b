import fc from 'fast-check';
import { historyArbitrary } from '../../src/simulator/arbitrary.ts';
import { simulate } from '../../src/simulator/simulate.ts';
const n = Number(process.argv[2] ?? 20), seed = Number(process.argv[3] ?? 1);
const cpu = process.cpuUsage();
let i = 0;
const rows: any[] = [];
for (const history of fc.sample(historyArbitrary, { numRuns: n, seed })) {
  const t = process.cpuUsage();
  try {
    const trace = await simulate(history);
    const u = process.cpuUsage(t);
    rows.push({ i, ms: Math.round((u.user + u.system) / 1000), calls: trace.calls.length, posts: trace.posts.length, hours: ((trace.endedAt - trace.startedAt) / 3.6e6).toFixed(2), ev: trace.events.length, del: trace.deliveries.map((d) => d.state[0]).join(''), lives: trace.lives.length });
  } catch (e) { console.log(i, e); }
  i++;
}
console.table(rows.sort((a, b) => b.ms - a.ms).slice(0, 25));
const u = process.cpuUsage(cpu);
console.log('mean ms', (u.user + u.system) / 1000 / n);
