import fc from 'fast-check';
import { historyArbitrary } from '../../src/simulator/arbitrary.ts';
import { simulate } from '../../src/simulator/simulate.ts';
import { brokenLaws } from '../../src/simulator/laws.ts';
import { brokenStorage, brokenStores } from './broken-stores.ts';
const n = Number(process.argv[2] ?? 300); const filter = process.argv[3] ?? '';
const histories = fc.sample(historyArbitrary, { numRuns: n, seed: 1 });
for (const broken of brokenStores) {
  if (!broken.how.includes(filter)) continue;
  const found = new Map<string, number>(); let first = -1, firstMsg = '', any = -1, crashed = ''; const t = Date.now();
  for (const [i, history] of histories.entries()) {
    try {
      const laws = brokenLaws(await simulate(history, { storage: brokenStorage(broken) as any }));
      if (laws.length > 0 && any < 0) any = i;
      for (const { law, message } of laws) { found.set(law, (found.get(law) ?? 0) + 1); if (law === broken.law.name && first < 0) { first = i; firstMsg = message; } }
    } catch (e) { crashed ||= String((e as Error).stack).slice(0, 300); }
    if (first >= 0 && !filter) break;
    if (Date.now() - t > 60_000) break;
  }
  console.log(first < 0 ? 'MISSED' : 'ok', first, 'any', any, broken.how, '|', broken.law.name, first < 0 || filter ? [...found].map(([l, c]) => `\n       ${c} ${l}`).join('') : '', crashed, filter ? firstMsg : '', Date.now() - t);
}
