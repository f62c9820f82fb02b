import type { Clock } from './clock.ts';
import type { Random } from './random.ts';
import type { EpochMs } from './time.ts';

const codesOf = (text: string): number[] => Array.from(text, (sign) => sign.charCodeAt(0));
const digits = codesOf('0123456789abcdef');
const version = 14;
const variant = 19;
/** Position of each of the 16 bytes in the text. */
const places = [0, 2, 4, 6, 9, 11, version, 16, variant, 21, 24, 26, 28, 30, 32, 34];
/** Reused for each id: concatenation takes twice the time and retains every part in memory. */
const codes = codesOf('00000000-0000-7000-8000-000000000000');

const write = (byte: number, value: number): void => {
  const place = places[byte] as number;
  codes[place] = digits[value >> 4] as number;
  codes[place + 1] = digits[value & 15] as number;
};

const textOf = (now: EpochMs, bytes: Uint8Array): string => {
  for (let byte = 0; byte < 6; byte++) write(byte, Math.floor(now / 2 ** (40 - 8 * byte)) % 256);
  for (let byte = 0; byte < 10; byte++) write(6 + byte, bytes[byte] ?? 0);
  codes[version] = digits[7] as number;
  codes[variant] = digits[8 | (((bytes[2] ?? 0) >> 4) & 3)] as number;
  return String.fromCharCode(...codes);
};

/**
 * A UUIDv7 (RFC 9562 §5.7): 48 bits of milliseconds, then 74 random bits. Rows of the same time are adjacent in an
 * index.
 */
export const newId = (clock: Clock, random: Random): string => textOf(clock.now(), random.bytes(10));

/** A UUIDv7 of a time and a text of at least 20 hexadecimal digits: the same for the same ones. */
export const idOf = (at: EpochMs, hex: string): string =>
  textOf(
    at,
    Uint8Array.from({ length: 10 }, (_none, byte) => Number.parseInt(hex.slice(2 * byte, 2 * byte + 2), 16)),
  );

/** How many values each byte of the counter has: the first and the third also hold the version and the variant. */
const counterBytes = [16, 256, 64, 256, 256, 256];

/**
 * Creates ids like {@link newId}, in increasing order also within a millisecond: 42 of the random bits count up from a
 * random start (RFC 9562 §6.2, method 1), 32 are random each time. Stores order events by their ids.
 */
export const createIds = (clock: Clock, random: Random): (() => string) => {
  let last: EpochMs | undefined;
  const counter: number[] = [];
  return () => {
    const now = Math.floor(clock.now());
    const bytes = random.bytes(10);
    if (now !== last) for (const [byte, size] of counterBytes.entries()) counter[byte] = (bytes[byte] ?? 0) % size;
    else
      for (let byte = counterBytes.length - 1; byte >= 0; byte--) {
        const next = ((counter[byte] ?? 0) + 1) % (counterBytes[byte] ?? 1);
        counter[byte] = next;
        if (next > 0) break;
      }
    last = now;
    bytes.set(counter);
    return textOf(now, bytes);
  };
};

/**
 * Sorts before every id made at `at` or later, and after every earlier id. Stores use it to list by time.
 * @example
 * const from = firstIdAt(Date.UTC(2027, 0, 1)); // ids of events from that day on are larger
 * @public
 */
export const firstIdAt = (at: EpochMs): string => {
  const time = Math.min(Math.max(Math.trunc(at) || 0, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

/** When an id was made, by the clock of its process. */
export const timeOfId = (id: string): EpochMs => Number.parseInt(id.slice(0, 13).replace('-', ''), 16);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` has the form of an id. Other texts are neither looked up nor put into a signal. */
export const isId = (text: string): boolean => uuid.test(text);
