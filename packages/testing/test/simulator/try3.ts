import fc from 'fast-check';
import { historyArbitrary } from '../../src/simulator/arbitrary.ts';
import { simulate } from '../../src/simulator/simulate.ts';
import { brokenLaws } from '../../src/simulator/laws.ts';
const n = Number(process.argv[2] ?? 20), seed = Number(process.argv[3] ?? 1);
const found = new Map<string, { n: number; examples: string[] }>();
let lawTime = 0; const cpu = process.cpuUsage(); let bad = 0;
let i = -1;
for (const history of fc.sample(historyArbitrary, { numRuns: n, seed })) {
  i++;
  const trace = await simulate(history);
  const t = process.cpuUsage();
  const broken = brokenLaws(trace);
  const u = process.cpuUsage(t); lawTime += u.user + u.system;
  if (broken.length > 0) bad++;
  for (const { law, message } of broken) {
    const e = found.get(law) ?? { n: 0, examples: [] };
    found.set(law, e); e.n++;
    if (e.examples.length < 3) e.examples.push(`#${i} ${message.slice(law.length + 2)}`);
  }
}
for (const [law, { n, examples }] of [...found].sort((a, b) => b[1].n - a[1].n)) { console.log(n, law); for (const e of examples) console.log('      ', e); }
const u = process.cpuUsage(cpu);
console.log({ bad, meanMs: (u.user + u.system) / 1000 / n, laws: lawTime / 1000 / n });
