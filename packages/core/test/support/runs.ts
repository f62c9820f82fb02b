/** How often each property is tried: the seed is fixed, so that a run can be repeated. */
export const runs = { numRuns: 1_000, seed: 20_241_121 } as const;
