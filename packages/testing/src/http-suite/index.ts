/**
 * Suites of HTTP requests for framework adapters, and of invalid input for storage adapters.
 * @module testing/http-suite
 */

export { type BadInputSuiteOptions, badInputSuite } from '../bad-input/bad-input-suite.ts';
export { type CheckedAnswer, type CheckedWebhook, documentCheck, webhookCheck } from './document-check.ts';
export { type HttpSuiteOptions, httpSuite, type StartedServer } from './http-suite.ts';
export { managementHttpSuite } from './management-suite.ts';
export type { SuiteReceiver } from './platform.ts';
export type { CheckedRequest } from './request-check.ts';
export { requestsHttpSuite } from './requests-suite.ts';
