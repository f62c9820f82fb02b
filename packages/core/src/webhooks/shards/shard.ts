import { toUtf8 } from '../../base/runtime/text.ts';

/** The number of shards. Every store's schema contains it: it never changes. @public */
export const shardCount = 128;

/** The numbers of all shards, from 0. */
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

const offset = 0x811c9dc5;
const prime = 0x01000193;

/**
 * The shard of an account, from 0: FNV-1a (32 bits) of the UTF-8 bytes of its id, modulo {@link shardCount}. One worker
 * owns a shard and delivers for all of its accounts.
 * @example
 * shardOf('acc_1'); // 106
 * @public
 */
export const shardOf = (accountId: string): number => {
  let hash = offset;
  for (let index = 0; index < accountId.length; index++) {
    const unit = accountId.charCodeAt(index);
    if (unit >= 0x80) return shardOfBytes(toUtf8(accountId));
    hash = Math.imul(hash ^ unit, prime);
  }
  return (hash >>> 0) % shardCount;
};

const shardOfBytes = (bytes: Uint8Array): number => {
  let hash = offset;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return (hash >>> 0) % shardCount;
};
