/** Chooses the size of a part: the first for a measurement, the second for a smoke run. */
export type Sized = <T>(full: T, smoke: T) => T;

export const fullSize: Sized = (full) => full;
export const smokeSize: Sized = (_full, smoke) => smoke;
