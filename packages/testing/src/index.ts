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
