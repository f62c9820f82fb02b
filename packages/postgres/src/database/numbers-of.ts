/** The numbers of an array literal. */
export const numbersOf = (literal: string): readonly number[] => JSON.parse(`[${literal.slice(1, -1)}]`);
