/**
 * Units of time and the clock port.
 * @module core/time
 */
export type { Clock } from './base/runtime/clock.ts';
export { systemClock } from './base/runtime/system.ts';
export { type DurationMs, day, type EpochMs, type EpochSeconds, hour, minute, second } from './base/runtime/time.ts';
