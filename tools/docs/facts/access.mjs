// What pages say of logins, tokens, limits, requests over HTTP and imports.

import { maxListedChildren } from '../../../packages/core/src/base/accounts/list-children.ts';
import { day, minute, second } from '../../../packages/core/src/base/runtime/time.ts';
import { maxCounted } from '../../../packages/core/src/base/signals/health-change.ts';
import {
  constantOf,
  days,
  grouped,
  hours,
  listAfter,
  milliseconds,
  minutes,
  numberAfter,
  seconds,
  size,
  word,
} from '../constants.mjs';

const token = constantOf('core/src/kit/partner-interface.ts', 'tokenLifetime');
const revocation = constantOf('core/src/kit/foundation.ts', 'revocationDelay');
const staleness = constantOf('core/src/kit/foundation.ts', 'maxStaleness');
const maxSecrets = word(constantOf('core/src/access/clients/changes.ts', 'maxSecrets'));
const writeEvery = constantOf('core/src/access/clients/count-calls.ts', 'writeEvery');
const storedDays = constantOf('core/src/access/clients/usage.ts', 'storedDays');
const [last, middle, first] = listAfter('core/src/access/clients/key-facts.ts', 'warningDays = ');
const unusedDays = constantOf('core/src/access/clients/usage.ts', 'unusedDays');
const failures = (limit) => numberAfter('core/src/access/tokens/authenticate.ts', `${limit}: { points: `);
const failureWindow =
  numberAfter('core/src/access/tokens/authenticate.ts', 'signalPerClient: { points: 100, window: ') * minute;
const assertionLifetime = constantOf('core/src/access/tokens/assertion.ts', 'maxLifetime');
const created = (what) => numberAfter('core/src/api/management/limits.ts', `${what}PerAccount: { points: `);
const retryAfter = numberAfter('core/src/api/operations/codes.ts', "'retry-after': '") * second;
const login = constantOf('core/src/api/partner/login.ts', 'loginBytes');
const body = constantOf('core/src/requests/http/place.ts', 'maxBodyBytes');
const ofRoutes = constantOf('core/src/api/partner/account-route.ts', 'defaultBytes');
const receiver = constantOf('receiver/src/create-receiver.ts', 'maxBytes');
const identifier = constantOf('core/src/base/runtime/text.ts', 'maxIdentifierBytes');
const portTimeout = constantOf('core/src/base/runtime/port-limit.ts', 'defaultPortTimeout');
const answersKept = constantOf('core/src/stores/rows/requests/claims.ts', 'keptFor');
const importedRows = constantOf('core/src/kit/imports/import-report.ts', 'maxRows');
const statistics = constantOf('core/src/stores/rows/log/statistics.ts', 'maxRead');
const usualPage = numberAfter('core/src/base/pagination/page.ts', 'limit = ');
const largestPage = numberAfter('core/src/base/pagination/page.ts', 'limit), 1), ');
const seenFor = numberAfter('core/src/stores/receiver/process-once.ts', 'keep = ') * day;
const claimed = constantOf('core/src/stores/receiver/process-once.ts', 'lease');
const tolerance = constantOf('core/src/webhooks/signature/standard-webhooks.ts', 'tolerance');
const announceWait = constantOf('core/src/access/clients/client-change-listener.ts', 'maxAnnounceWait');

export const access = [
  // Tokens and keys
  `in milliseconds | ${days(token)} |`,
  `after ${days(token)}] by default`,
  `It expires after ${days(token)}. Revoke`,
  `has expired (${days(token)} by default)`,
  `has expired, after ${days(token)} by default`,
  `has expired: ${days(token)}, or your \`oauth.tokenLifetime\``,
  `\`oauth.revocationDelay\` (${seconds(revocation)} by default)`,
  `once ${minutes(staleness).replace('1', 'a')} instead of once a second. The bound of one second`,
  `once ${minutes(staleness).replace('1', 'a')} in each process`,
  `\`shared.maxStaleness\` (${minutes(staleness)}`,
  `waits at most ${word(announceWait / second)} second for it`,
  `does not cache that client for ${minutes(staleness).replace('1', 'a')}`.replace('does', 'do'),
  `for at least ${minutes(staleness).replace('1', 'a')}`,
  `clients are cached for ${minutes(staleness).replace('1', 'a')}`,
  `a key at most ${maxSecrets} secrets`,
  `the client has ${maxSecrets} secrets already`,
  `writes at most once ${minutes(writeEvery).replace('1 ', 'a ')} and at midnight`,
  `calls of the last ${storedDays} days of UTC`,
  `at most ${storedDays} rows for each client`,
  `no login and no call for ${unusedDays} days, and the key is older`,
  `had no login and no call for ${unusedDays} days: since`,
  `an API key ends in ${first}, ${middle} or ${last} days`,
  `one write ${minutes(constantOf('core/src/access/tokens/grant.ts', 'touchEvery')).replace('1 ', 'a ')} for a key`,
  // Assertions and public keys
  `${minutes(assertionLifetime)} ahead`,
  `at most ${constantOf('core/src/access/tokens/assertion.ts', 'maxJtiBytes')} bytes`,
  `RSA of less than ${grouped(numberAfter('core/src/base/crypto/public-jwk.ts', 'maxRsaBits] = ['))} bits`,
  // Limits
  `${failures('perAddress')} in ${minutes(failureWindow)} | wrong secrets get 429`,
  `${failures('perClientAndAddress')} in ${minutes(failureWindow)} | wrong secrets get 429`,
  `${failures('signalPerClient')} in ${minutes(failureWindow)} | signal`,
  `${failures('signalPerClient')} logins of one client failed within ${minutes(failureWindow)}`,
  `their window, ${minutes(failureWindow)} for logins`,
  `API keys | ${created('keys')} in a day`,
  `deleted ones included | ${created('endpoints')} in a day`,
  `test events | ${created('testEvents')} in a day`,
  `Retry after ${seconds(retryAfter)};`,
  // Bodies and texts
  `body exceeds ${size(login)}, or is neither`,
  `login | ${size(login)}, before authentication`,
  `of logins are limited to ${size(login)}, of requests to ${size(body)}`,
  `requests | ${size(body)} |`,
  `the body exceeds ${size(constantOf('core/src/api/management/bind.ts', 'maxBodyBytes'))}`,
  `the body has more than ${size(body)}`,
  `account routes | ${size(ofRoutes)}, or`,
  `reads at most ${size(ofRoutes)} of a body`,
  `receiver | ${size(receiver)}, before`,
  `body exceeds ${size(receiver)}, twice`,
  `at most ${identifier} bytes`,
  `1 to ${identifier} bytes`,
  `longer than ${identifier} bytes`,
  `at most ${constantOf('core/src/webhooks/endpoints/endpoint-values.ts', 'maxLength')} characters, percent-encoded`,
  `At most ${maxListedChildren} children`.replace('At', 'at'),
  `more than ${maxListedChildren} children`,
  `holds ${grouped(constantOf('core/src/stores/memory/seen-keys.ts', 'maxKeys'))}. Its option`,
  `script call of at most ${constantOf('redis/src/seen-keys.ts', 'maxBatch')}`,
  `1 to ${constantOf('core/src/api/operations/request-headers.ts', 'maxKeyLength')} visible ASCII characters`,
  `At most ${word(constantOf('core/src/access/tokens/legacy.ts', 'maxVerifying'))} calls run at once`,
  // Pages
  `1 to ${largestPage} objects a page`,
  `\`limit\` is 1 to ${largestPage}, ${usualPage} by default`,
  `counted to ${grouped(maxCounted)}, which means ${grouped(maxCounted)} or more`,
  `unfinished deliveries, at most ${grouped(maxCounted)}`,
  `objects a page | ${usualPage} |`,
  `each call handles at most ${largestPage} endpoints`.replace('each', 'Each'),
  `more than ${grouped(statistics)} attempts`,
  `at most ${grouped(statistics)} attempts`,
  // Repeated requests and answers
  `take effect once within ${hours(answersKept)}`,
  `kept for ${hours(answersKept)}`,
  `same results for ${hours(answersKept)}`,
  `personal data, for ${hours(answersKept)}`,
  `responses by idempotency key, for ${hours(answersKept)}`,
  `as it was made, for ${hours(answersKept)}`,
  // Ports
  `\`createPartnerkit\`, ${milliseconds(portTimeout)} by default`,
  `not answer within ${seconds(constantOf('core/src/kit/check.ts', 'callTimeout'))} |`,
  `differ by more than ${seconds(constantOf('core/src/kit/check.ts', 'maxSkew'))}`,
  // Imports
  `takes at most ${importedRows} rows`,
  `takes at most ${importedRows} lines`,
  `takes ${importedRows} rows at a time`,
  'Secrets have 16 to 128 bytes',
  // Receivers
  `known for ${days(seenFor)}`,
  `kept for ${days(seenFor)}`,
  `keys are kept | ${minutes(claimed)}, ${days(seenFor)} |`,
  `the claim expires after ${minutes(claimed).replace('1', 'a')}`,
  `until the lease expires (${minutes(claimed)})`,
  `refused after ${word(tolerance / minute)} minutes`,
  `more than ${minutes(tolerance)} off`,
];
