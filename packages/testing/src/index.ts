/**
 * For hosts and adapters to test with: arbitraries, contract suites, a scripted host and receiver, a simulator of delivery,
 * certificates.
 * @module
 */

export { accountArbitrary } from './arbitraries/accounts.ts';
export { type EventPair, eventPairArbitrary } from './arbitraries/catalogue.ts';
export { malformedSecretArbitrary } from './arbitraries/client-secrets.ts';
export { clientArbitrary } from './arbitraries/clients.ts';
export { endpointArbitrary } from './arbitraries/endpoints.ts';
export { newEventArbitrary } from './arbitraries/events.ts';
export { reservedHeaderNameArbitrary } from './arbitraries/headers.ts';
export { identifierArbitrary } from './arbitraries/identifiers.ts';
export { signalArbitrary } from './arbitraries/signals.ts';
export { type Tenant, tenantsArbitrary } from './arbitraries/tenants.ts';
export { nonPublicUrlArbitrary, refusedUrlArbitrary } from './arbitraries/urls.ts';
export { type BadInputSuiteOptions, badInputSuite } from './bad-input/bad-input-suite.ts';
export {
  type CertificateAuthority,
  type CertificateRequest,
  createCertificateAuthority,
  type IssuedCertificate,
} from './certificates.ts';
export { type AccessTokensFixture, accessTokensContract } from './contracts/access-tokens.ts';
export { type AccountDirectoryFixture, accountDirectoryContract } from './contracts/account-directory.ts';
export { type ClientNewsFixture, clientNewsContract } from './contracts/client-news.ts';
export { clientStoreContract } from './contracts/client-store.ts';
export type { ContractOptions, Fixture, FixtureSettings } from './contracts/contract.ts';
export { type SeenKeysPropertiesOptions, seenKeysProperties } from './contracts/dedup-properties.ts';
export { deliveryLogContract } from './contracts/delivery-log.ts';
export { deliveryStoreContract } from './contracts/delivery-store.ts';
export { endpointStoreContract } from './contracts/endpoint-store.ts';
export { eventStoreContract } from './contracts/event-store.ts';
export { type InboxFixture, inboxContract } from './contracts/inbox.ts';
export { parentPropagationContract } from './contracts/parent-propagation.ts';
export { type RateLimiterFixture, rateLimiterContract } from './contracts/rate-limiter.ts';
export type { RequestsFixture } from './contracts/requests-fixture.ts';
export { requestStoresContract } from './contracts/requests-stores.ts';
export { type SeenKeysFixture, seenKeysContract } from './contracts/seen-keys.ts';
export { type ReceivedPost, type ReceiverAct, type SenderFixture, senderContract } from './contracts/sender.ts';
export { type SenderReceiver, startSenderReceiver } from './contracts/sender-receiver.ts';
export { shardStoreContract } from './contracts/shard-store.ts';
export { storageContract } from './contracts/storage.ts';
export type { StorageFixture } from './contracts/storage-fixture.ts';
export type { StoreTime } from './contracts/store-time.ts';
export { httpCases } from './http-suite/cases.ts';
export type { WireRequest, WireResponse } from './http-suite/exchange.ts';
export type { BadGroup, HttpCase } from './http-suite/http-case.ts';
export { type HttpSuiteOptions, httpSuite, type StartedServer } from './http-suite/http-suite.ts';
export type { Platform, SuiteReceiver } from './http-suite/platform.ts';
export { requestsHttpSuite } from './http-suite/requests-suite.ts';
export {
  type HttpsReceiver,
  type HttpsReceiverOptions,
  type ReceivedRequest,
  startHttpsReceiver,
} from './https-receiver.ts';
export {
  assertNeverReceived,
  assertReceivedInOrder,
  assertReceivedOnce,
  assertSameBytes,
  assertSigned,
  type ExpectedEvent,
} from './scripted/assertions.ts';
export { type ManualClock, manualClock } from './scripted/clock.ts';
export { scriptedHost } from './scripted/host.ts';
export { type InProcessRequest, inProcess } from './scripted/in-process.ts';
export { type ScriptedReceiver, type ScriptedReceiverOptions, startScriptedReceiver } from './scripted/receiver.ts';
export type { PartnerAct, PartnerPost, PartnerStep, ScriptedPartner } from './scripted/script.ts';
export type {
  HostClient,
  HostEndpoint,
  HostEvent,
  HostPublished,
  ScriptedHost,
  ScriptedHostOptions,
} from './scripted/scripted-host.ts';
export { type ScriptedSender, type SenderStep, scriptedSender } from './scripted/sender.ts';
export { historyArbitrary } from './simulator/arbitrary.ts';
export type {
  History,
  MachineEvent,
  ScriptedAct,
  ScriptedAnswer,
  ScriptedEndpoint,
  ScriptedFault,
  ScriptedTransaction,
  SimulatedType,
} from './simulator/history.ts';
export { checkLaws, LawBroken } from './simulator/laws.ts';
export { type SimulateOptions, simulate } from './simulator/simulate.ts';
export type { Call, CallName, ProcessLife, PublishedEvent, SentPost, Trace } from './simulator/trace.ts';
