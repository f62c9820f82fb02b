/**
 * Suites of HTTP requests for framework adapters, and of invalid input for storage adapters.
 * @module conformance/http-suite
 */

export { type BadInputSuiteOptions, badInputSuite } from '../bad-input/bad-input-suite.ts';
export { type HttpSuiteOptions, httpSuite } from './http-suite.ts';
export { managementExamplesSuite, managementHttpSuite } from './management/suite.ts';
export type { SuiteReceiver } from './partner/platform.ts';
export { requestsHttpSuite } from './requests/suite.ts';
export type { StandardsHttpSuiteOptions } from './standards/options.ts';
export { standardsHttpSuite } from './standards/suite.ts';
export { type CheckedAnswer, type CheckedWebhook, documentCheck, webhookCheck } from './support/document-check.ts';
export type { SuiteAnswer } from './support/reported-check.ts';
export type { CheckedRequest } from './support/request-check.ts';
export type { StartedServer } from './support/started-server.ts';
