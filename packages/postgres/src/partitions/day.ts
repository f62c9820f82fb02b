/** A day, in milliseconds. The command line needs no other package. */
const dayMs = 86_400_000;

/** A day in UTC, as a partition has it. */
export interface Day {
  /** As in `2026-11-22`. */
  readonly name: string;
  /** The first id of an event of this day. */
  readonly from: string;
  /** The first id of an event of the next day. */
  readonly to: string;
}

/** The smallest id (RFC 9562, version 7) of an event that is published at this time or later. */
export const firstId = (time: number): string => {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

const startOf = (time: number): number => time - (time % dayMs);

const dayAt = (time: number): Day => {
  const start = startOf(time);
  return { name: new Date(start).toISOString().slice(0, 10), from: firstId(start), to: firstId(start + dayMs) };
};

/** Today and the days that follow. */
export const comingDays = (now: number, count: number): readonly Day[] =>
  Array.from({ length: count + 1 }, (_, nth) => dayAt(now + nth * dayMs));

/** Events with smaller ids are of days that ended so many days ago. */
export const firstKept = (now: number, days: number): string => firstId(startOf(now - days * dayMs));
