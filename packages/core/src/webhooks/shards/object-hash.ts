import { sha256 } from '../../base/crypto/sha256.ts';
import { shardOf } from './shard.ts';

/**
 * The short name of an object in the guard of timestamps, 8 bytes in hexadecimal: 7 bytes of SHA-256 over account and
 * object, and the shard. Two objects of a shard may share a name. Then no two of their events share a timestamp.
 * @example
 * objectHash('acc_ours', 'pay_1'); // '3cdc9b404b53e60c'
 * @public
 */
export const objectHash = (accountId: string, objectId: string): string =>
  sha256(`${accountId}\n${objectId}`).slice(0, 14) + shardOf(accountId).toString(16).padStart(2, '0');
