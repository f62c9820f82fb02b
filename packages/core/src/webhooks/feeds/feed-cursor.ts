import { err, ok, type Result } from '#result';
import { decodeCursor, encodeCursor, type InvalidCursor } from '../../base/pagination/cursor.ts';
import { failure } from '../../base/runtime/failure.ts';
import type { FeedPart, FeedPlace } from './feed-store.ts';

/** An entry as a cursor names it. Number 0, without a check, is before the first entry. */
export interface Checkpoint {
  readonly number: number;
  /** The last 32 bits of the event's id, which are random. */
  readonly check: string;
}

/** Where a cursor stands in a feed: after its first checkpoint. The others are older. */
export type Checkpoints = readonly [Checkpoint, ...Checkpoint[]];

/** Before the first entry. */
const beginning: Checkpoints = [{ number: 0, check: '' }];

/** Numbers are divided into blocks of these sizes. */
const blocks = [1, 16, 16 ** 2, 16 ** 3, 16 ** 4, 16 ** 5] as const;
const maxCheckpoints = 1 + 2 * blocks.length;

const checkpointOf = ({ number, eventId }: FeedPlace): Checkpoint => ({ number, check: eventId.slice(-8) });

/**
 * The cursor after an entry. Of each size of blocks, it keeps the newest checkpoint of the block before, which the next
 * block needs, and of the one before that: so one is older than any loss, and at most some 32 times as far away.
 */
export const advance = (older: readonly Checkpoint[], last: FeedPlace): Checkpoints => {
  const kept = new Set<Checkpoint>();
  for (const size of blocks) {
    const own = Math.floor(last.number / size);
    for (const before of [1, 2]) {
      const newest = older.find(({ number }) => Math.floor(number / size) <= own - before);
      if (newest) kept.add(newest);
    }
  }
  return [checkpointOf(last), ...older.filter((each) => kept.has(each))];
};

const scopeOf = (accountId: string, endpointId: string) => ['feed', accountId, endpointId];
const write = ({ number, check }: Checkpoint): string => `${number.toString(36)}${check && `_${check}`}`;

/** The text of a cursor, bound to account and endpoint. */
export const writeFeedCursor = (accountId: string, endpointId: string, checkpoints: Checkpoints): string => {
  const place = checkpoints.map(write).join('-');
  return encodeCursor(scopeOf(accountId, endpointId), { items: [], next: place }).next ?? '';
};

const form = /^[0-9a-z]{1,10}(_[0-9a-f]{8})?$/;

/** Reads the text of a cursor. */
export const readFeedCursor = (
  accountId: string,
  endpointId: string,
  after: string,
): Result<Checkpoints, InvalidCursor> =>
  decodeCursor(scopeOf(accountId, endpointId), { after }).andThen(
    ({ after: place = '' }): Result<Checkpoints, InvalidCursor> => {
      const parts = place.split('-');
      if (parts.length > maxCheckpoints || !parts.every((part) => form.test(part)))
        return err(failure('invalid_cursor'));
      const [first, ...others] = parts.map((part): Checkpoint => {
        const [number = '', check = ''] = part.split('_');
        return { number: Number.parseInt(number, 36), check };
      });
      return first ? ok([first, ...others]) : err(failure('invalid_cursor'));
    },
  );

/** What a feed says of a cursor. */
export type CursorVerdict =
  /** All entries after it are stored. */
  | { readonly kind: 'good' }
  /** Entries after it were pruned, or its entry is not that of the feed. Reading may continue at `at`. */
  | { readonly kind: 'cursor_expired' | 'cursor_ahead'; readonly at: Checkpoints };

/** Before the oldest entry that is stored. */
export const oldestOf = ({ pruned, places }: FeedPart): Checkpoints => {
  const place = places.find(({ number }) => number === pruned);
  return place ? [checkpointOf(place)] : beginning;
};

/**
 * Compares a cursor with the feed. A store that lost commits gives numbers again: then the event of a number is another
 * one, and so are all later ones.
 */
export const judgeCursor = (cursor: Checkpoints, part: FeedPart): CursorVerdict => {
  const { pruned, places } = part;
  const checks = new Map(places.map((place) => [place.number, checkpointOf(place).check]));
  const isKnown = ({ number, check }: Checkpoint): boolean =>
    number === 0 ? pruned === 0 : number >= pruned && checks.get(number) === check;
  const [newest] = cursor;
  if (isKnown(newest)) return { kind: 'good' };
  const oldest = oldestOf(part);
  if (newest.number <= pruned) return { kind: 'cursor_expired', at: oldest };
  const from = cursor.findIndex(isKnown);
  const [common, ...older] = from === -1 ? oldest : cursor.slice(from);
  return { kind: 'cursor_ahead', at: common ? [common, ...older] : oldest };
};
