/**
 * Units of time and the clock port.
 * @module core/time
 */
export type { Clock } from './runtime/clock.ts';
export { systemClock } from './runtime/system.ts';
export { type DurationMs, day, type EpochMs, type EpochSeconds, hour, minute, second } from './runtime/time.ts';
