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
