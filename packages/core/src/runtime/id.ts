import type { Clock } from './clock.ts';
import type { Random } from './random.ts';
import type { EpochMs } from './time.ts';

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * A UUIDv7 (RFC 9562 §5.7): 48 bits of milliseconds, then 74 random bits, so that rows made together lie together.
 * @internal
 */
export const newId = (clock: Clock, random: Random): string => {
  const now = clock.now();
  const bytes = random.bytes(10);
  const high = Math.floor(now / 2 ** 16)
    .toString(16)
    .padStart(8, '0');
  const low = (now % 2 ** 16).toString(16).padStart(4, '0');
  const at = (index: number): string => hex[bytes[index] ?? 0] as string;
  const version = hex[0x70 | ((bytes[0] ?? 0) & 0x0f)];
  const variant = hex[0x80 | ((bytes[2] ?? 0) & 0x3f)];
  return `${high}-${low}-${version}${at(1)}-${variant}${at(3)}-${at(4)}${at(5)}${at(6)}${at(7)}${at(8)}${at(9)}`;
};

/** Before every id that was made at `at` or later, after every one that was made before. What stores use to list a time. @public */
export const firstIdAt = (at: EpochMs): string => {
  const time = Math.min(Math.max(Math.trunc(at) || 0, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` has the form of an id of ours: what has another form is never looked up, nor shown in a signal. @internal */
export const isId = (text: string): boolean => uuid.test(text);
