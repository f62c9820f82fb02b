/**
 * Contract suites of the ports: each runs the obligations of one port against an implementation.
 * @module testing/contracts
 */

export { type AccessTokensFixture, accessTokensContract } from './access-tokens.ts';
export { type AccountDirectoryFixture, accountDirectoryContract } from './account-directory.ts';
export { type ClientChangeFeedFixture, clientChangeFeedContract } from './client-change-feed.ts';
export { clientStoreContract } from './client-store.ts';
export type { ContractOptions, Fixture, FixtureSettings } from './contract.ts';
export { type SeenKeysPropertiesOptions, seenKeysProperties } from './dedup-properties.ts';
export { deliveryLogContract } from './delivery-log.ts';
export { deliveryStoreContract } from './delivery-store.ts';
export { endpointStoreContract } from './endpoint-store.ts';
export { eventStoreContract } from './event-store.ts';
export { type InboxFixture, inboxContract } from './inbox.ts';
export { parentPropagationContract } from './parent-propagation.ts';
export { type RateLimiterFixture, rateLimiterContract } from './rate-limiter.ts';
export type { RequestsFixture } from './requests-fixture.ts';
export { requestStoresContract } from './requests-stores.ts';
export { type SeenKeysFixture, seenKeysContract } from './seen-keys.ts';
export { type ReceivedPost, type ReceiverAct, type SenderFixture, senderContract } from './sender.ts';
export { type SenderReceiver, startSenderReceiver } from './sender-receiver.ts';
export { shardStoreContract } from './shard-store.ts';
export { storageContract } from './storage.ts';
export type { StorageFixture } from './storage-fixture.ts';
export type { StoreTime } from './store-time.ts';
