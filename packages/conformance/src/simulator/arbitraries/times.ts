/** Durations in histories. @internal */
export const second = 1_000;
/** @internal */
export const minute = 60 * second;
/** @internal */
export const hour = 60 * minute;
/** @internal */
export const day = 24 * hour;
