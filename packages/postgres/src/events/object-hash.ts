import { objectHash } from '@partnerkit/core/adapter';
import { type Part, sql } from '../database/statement.ts';

/** The hash of an object as a signed integer of 8 bytes. */
export const objectHashOf = (accountId: string, objectId: string): string =>
  String(BigInt.asIntN(64, BigInt(`0x${objectHash(accountId, objectId)}`)));

/** The same in SQL, for an object that only the database knows. */
export const objectHashIn = <const P extends Part>(shard: P, accountId: string, objectId: string) =>
  sql`('x' || left(encode(sha256(convert_to(${accountId} || chr(10) || ${objectId}, 'UTF8')), 'hex'), 14) || lpad(to_hex(${shard}), 2, '0'))::bit(64)::bigint`;
