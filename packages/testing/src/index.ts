/**
 * Fixtures for tests of hosts and partners: a scripted host and its partners, a manual clock, arbitraries,
 * certificates.
 * @module testing
 */

export { type EventPair, eventPairArbitrary } from './arbitraries/catalogue.ts';
export { identifierArbitrary } from './arbitraries/identifiers.ts';
export { signalArbitrary } from './arbitraries/signals.ts';
export {
  type CertificateAuthority,
  type CertificateRequest,
  createCertificateAuthority,
  type IssuedCertificate,
} from './certificates.ts';
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
export type { ReceivedPost, ReceiverAct } from './scripted/receiver-act.ts';
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
