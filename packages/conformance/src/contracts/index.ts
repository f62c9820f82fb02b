/**
 * Contract suites of the ports: each runs the obligations of one port against an implementation.
 * @module conformance/contracts
 */

export { type AccountDirectoryFixture, accountDirectoryContract } from './accounts/account-directory.ts';
export { type ClientChangeFeedFixture, clientChangeFeedContract } from './clients/client-change-feed.ts';
export { type SenderFixture, senderContract } from './deliveries/sender.ts';
export { type SenderReceiver, startSenderReceiver } from './deliveries/sender-receiver.ts';
export { type SeenKeysPropertiesOptions, seenKeysProperties } from './receiver/dedup-properties.ts';
export { type InboxFixture, inboxContract } from './receiver/inbox.ts';
export { type LatestTimestampsFixture, latestTimestampsContract } from './receiver/latest-timestamps.ts';
export { type SeenKeysFixture, seenKeysContract } from './receiver/seen-keys.ts';
export type { RequestsFixture } from './requests/fixture.ts';
export type { RowStoreFixture } from './rows/acts.ts';
export { rowStoreContract } from './rows/row-store.ts';
export { movedRequestsContract } from './storage/bringing.ts';
export { storageContracts } from './storage/storage-contracts.ts';
export type { StorageFixture } from './storage/storage-fixture.ts';
export type { ContractOptions, Fixture, FixtureSettings } from './support/contract.ts';
export type { StoreTime } from './support/store-time.ts';
export { accessTokensContract } from './tokens/access-tokens.ts';
export type { AccessTokensFixture } from './tokens/fixture.ts';
export type { PrivateJwk } from './tokens/forge.ts';
export { type RateLimiterFixture, rateLimiterContract } from './tokens/rate-limiter.ts';
