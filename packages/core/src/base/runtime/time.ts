/** Milliseconds since 1970-01-01T00:00:00Z. @public */
export type EpochMs = number;
/** Whole seconds since 1970-01-01T00:00:00Z. @public */
export type EpochSeconds = number;
/** A duration in milliseconds. @public */
export type DurationMs = number;

/** 1000 milliseconds; write `2 * hour` for a duration. @public */
export const second: DurationMs = 1_000;
/** 60 seconds. @public */
export const minute: DurationMs = 60 * second;
/** 60 minutes. @public */
export const hour: DurationMs = 60 * minute;
/** 24 hours. @public */
export const day: DurationMs = 24 * hour;

/** How far the clock of another server may be ahead. */
export const maxClockLead: DurationMs = 60 * second;

/** Rounds down to whole seconds. */
export const toSeconds = (at: EpochMs): EpochSeconds => Math.floor(at / second);
