/** A time as milliseconds since 1970, exactly. @internal */
export const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;

/** Milliseconds since 1970 as a time. @internal */
export const moment = (epochMs: string): string => `to_timestamp((${epochMs})::float8 / 1000)`;

/** Milliseconds as an interval. @internal */
export const duration = (milliseconds: string): string => `((${milliseconds})::float8 * interval '1 millisecond')`;
