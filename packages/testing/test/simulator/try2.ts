import fc from 'fast-check';
import { historyArbitrary } from '../../src/simulator/arbitrary.ts';
import { simulate } from '../../src/simulator/simulate.ts';
const n = Number(process.argv[2] ?? 20), seed = Number(process.argv[3] ?? 1);
const hs = fc.sample(historyArbitrary, { numRuns: n, seed });
for (const history of hs) await simulate(history);
