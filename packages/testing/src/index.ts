/**
 * For hosts and adapters to test with: a simulator of delivery, certificates and receivers.
 * @module
 */

export {
  type CertificateAuthority,
  type CertificateRequest,
  createCertificateAuthority,
  type IssuedCertificate,
} from './certificates.ts';
export { type AccessTokensFixture, accessTokensContract } from './contracts/access-tokens.ts';
export { type AccountDirectoryFixture, accountDirectoryContract } from './contracts/account-directory.ts';
export { clientStoreContract } from './contracts/client-store.ts';
export type { ContractOptions, Fixture, FixtureSettings } from './contracts/contract.ts';
export { deliveryLogContract } from './contracts/delivery-log.ts';
export { deliveryQueueContract } from './contracts/delivery-queue.ts';
export { endpointStoreContract } from './contracts/endpoint-store.ts';
export { eventStoreContract } from './contracts/event-store.ts';
export { type RateLimiterFixture, rateLimiterContract } from './contracts/rate-limiter.ts';
export { type SeenKeysFixture, seenKeysContract } from './contracts/seen-keys.ts';
export { type ReceivedPost, type ReceiverAct, type SenderFixture, senderContract } from './contracts/sender.ts';
export { type SenderReceiver, startSenderReceiver } from './contracts/sender-receiver.ts';
export { storageContract } from './contracts/storage.ts';
export type { StorageFixture } from './contracts/storage-fixture.ts';
export type { StoreTime } from './contracts/store-time.ts';
export { httpCases } from './http-suite/cases.ts';
export type { WireRequest, WireResponse } from './http-suite/exchange.ts';
export type { HttpCase } from './http-suite/http-case.ts';
export { type HttpSuiteOptions, httpSuite, type StartedServer } from './http-suite/http-suite.ts';
export type { Platform } from './http-suite/platform.ts';
export {
  type HttpsReceiver,
  type HttpsReceiverOptions,
  type ReceivedRequest,
  startHttpsReceiver,
} from './https-receiver.ts';
export { type History, historyArbitrary, type ScriptedAnswer } from './simulator/history.ts';
export { checkLaws, LawBroken } from './simulator/laws.ts';
export { type SimulateOptions, simulate } from './simulator/simulate.ts';
export type { Ended, Grant, Sent, Trace } from './simulator/trace.ts';
