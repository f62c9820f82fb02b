/**
 * The number of runs of a property, and its seed. The seed is fixed, so that a run can be repeated. The environment
 * variable `PROPERTY_RUNS` overrides every number; `npm run test:long` sets it to 10,000.
 * @param usual - The number in `npm test`: 200, or 100 if one run is a whole history.
 * @param least - For a test that counts what its runs met: fewer of them meet too little.
 */
export const propertyRuns = (usual: number, least = 1) => ({
  numRuns: Math.max(Number(process.env['PROPERTY_RUNS'] ?? usual), least),
  seed: 20_241_121,
});

/** One value in `npm test`, another in `npm run test:long`. */
export const sized = <T>(usual: T, long: T): T => (process.env['LONG_TESTS'] === '1' ? long : usual);
