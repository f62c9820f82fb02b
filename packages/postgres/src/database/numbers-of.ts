/** The numbers of an array literal. @internal */
export const numbersOf = (literal: string): readonly number[] => JSON.parse(`[${literal.slice(1, -1)}]`);
