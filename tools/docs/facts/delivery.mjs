// What pages say of delivery: workers, attempts, retries, failing endpoints, retention.
import { day, minute, second } from '../../../packages/core/src/base/runtime/time.ts';
import {
  breakerPauses,
  developmentPauses,
  disableAfter,
  failuresToOpen,
} from '../../../packages/core/src/webhooks/delivery-rules/breaker.ts';
import { maxRetries, minTimeout } from '../../../packages/core/src/webhooks/delivery-rules/delivery-policy.ts';
import {
  developmentSchedule,
  maxAttempts,
  retrySchedule,
} from '../../../packages/core/src/webhooks/delivery-rules/retry-policy.ts';
import { maxBodyBytes } from '../../../packages/core/src/webhooks/envelope/envelope.ts';
import { shardCount } from '../../../packages/core/src/webhooks/shards/shard.ts';
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
  short,
  size,
  word,
} from '../constants.mjs';

const rules = 'core/src/webhooks/delivery-rules';
const worker = 'core/src/webhooks/worker';
const optionOf = (name) => constantOf(`${worker}/context/worker-options.ts`, name);

const lease = constantOf(`${worker}/worker.ts`, 'workerLease');
const heartbeat = lease / numberAfter(`${worker}/steps/membership.ts`, 'lease / ');
const deadline = constantOf(`${rules}/delivery-policy.ts`, 'maxTimeout');
const noAttemptFrom = lease - deadline;
const [concurrency, perEndpoint, pollEvery, pruneEvery] = ['concurrency', 'perEndpoint', 'pollEvery', 'pruneEvery'].map(
  optionOf,
);
const perAccount = concurrency / numberAfter(`${worker}/context/worker-options.ts`, 'concurrency / ');
const page = constantOf(`${worker}/memory/outbox.ts`, 'pageSize');
const lowReady = numberAfter(`${worker}/memory/memory.ts`, 'lowReady = Math.max(');
const perEndpointInMemory = 2 * (lowReady + page);
const inMemory = constantOf(`${worker}/memory/overflow.ts`, 'maxReady');
const held = constantOf(`${worker}/context/retention.ts`, 'held');
const events = constantOf(`${worker}/context/retention.ts`, 'events');
const audit = constantOf(`${worker}/context/retention.ts`, 'audit');
const keys = constantOf('core/src/stores/rows/events/append.ts', 'keepKeys');
const longestRetryAfter = constantOf(`${rules}/retry-policy.ts`, 'longestRetryAfter');
const ahead = constantOf('core/src/base/runtime/time.ts', 'maxClockLead');
const bodyBytes = constantOf('node/src/sender/exchange.ts', 'bodyBytes');
const bodyTime = constantOf('node/src/sender/exchange.ts', 'bodyTime');
const headerBytes = constantOf('node/src/sender/exchange.ts', 'maxInformationalSize');
const lookup = constantOf('core/src/base/accounts/find-parent.ts', 'timeout');
const again = constantOf(`${worker}/context/parent-lookups.ts`, 'retryAfter');
const parentKnownFor = constantOf('core/src/base/accounts/find-parent.ts', 'cacheFor');
const endpoints = constantOf('core/src/kit/calls.ts', 'maxEndpoints');

/** How long the watcher of PostgreSQL reads again. */
const watched = listAfter('postgres/src/waking/repeated-wakes.ts', 'const pauses = ').reduce(
  (sum, pause) => sum + pause,
);

const whole = retrySchedule.reduce((sum, wait) => sum + wait, 0);
const inDays = `${word(Math.floor(whole / day))} days`;
const development = developmentSchedule.reduce((sum, wait) => sum + wait, 0);
const [first, last] = [retrySchedule[0], retrySchedule.at(-1)];
const pauses = breakerPauses.map((pause) => pause / minute);
const attempts = word(maxAttempts);
const ofDisabled = `${disableAfter.failing / day} days of failures, at least ${disableAfter.failures} failed attempts`;

const handlers = 'core/src/webhooks/handlers';
const handlerSlots = constantOf(`${handlers}/handler.ts`, 'defaultConcurrency');
const handlerTimeout = constantOf(`${handlers}/handler.ts`, 'defaultTimeout');
const handlerMaxTimeout = constantOf(`${handlers}/handler.ts`, 'maxTimeout');
const handlerMaxAlone = constantOf(`${handlers}/handler.ts`, 'maxTimeoutAlone');
const handlerAlone = constantOf(`${handlers}/handler.ts`, 'defaultTimeoutAlone');
const handlerUnseen = constantOf('core/src/kit/check.ts', 'maxUnseen');

const tellEvery = constantOf('core/src/webhooks/worker/steps/endpoint-facts.ts', 'tellEvery');
const warnsBefore = constantOf('core/src/webhooks/worker/steps/endpoint-facts.ts', 'warnsBefore');

export const delivery = [
  // What time brings
  `once for each row of failures, within some ${word(tellEvery / minute)} minutes`,
  `is disabled ${warnsBefore === day ? 'a day' : days(warnsBefore)} later at the earliest`,
  // Handlers
  `at most ${grouped(handlerMaxTimeout)} | ${grouped(handlerTimeout)} |`,
  `calls at the same time in one worker; in transactions, at most half of the pool | ${handlerSlots} |`,
  `call lasts at most ${seconds(handlerMaxAlone)} there, ${handlerAlone / second} by default`,
  `is \`exhausted\` after ${maxAttempts} attempts. There is no breaker`,
  `\`kit.check()\` warns after ${minutes(handlerUnseen)}`,
  // Workers
  `one of ${shardCount} shards, by a hash`,
  `divided into ${shardCount} shards`,
  `at most ceil(${shardCount} / workers)`,
  `its own ${shardCount} shards`,
  `a worker reads ${shardCount} of them`,
  `each of the ${shardCount} shards`,
  `The ${shardCount + 1}th worker gets no shard`,
  `One of ${shardCount} groups of accounts`,
  `owns some of ${shardCount} shards`,
  `shards that it serves, of ${shardCount}`,
  `shards that the worker serves, of ${shardCount}`,
  `its lease of ${seconds(lease)} every ${seconds(heartbeat)}`,
  `after its lease of ${seconds(lease)}`,
  `accepts writes within ${seconds(lease)} of it`,
  `${shardCount} rows every 10 seconds`,
  `when its lease expires | ${seconds(lease)} at most`,
  `other workers take its shards | ${seconds(lease)} at most`,
  `when the lease expires, within ${seconds(lease)}`,
  `after ${seconds(lease)} other workers take the shards`,
  `shows the event within ${seconds(lease)}`,
  `keeps its accounts for up to ${seconds(lease)}`,
  `repeats them after at most ${seconds(lease)}, when the lease has expired`,
  `from ${seconds(noAttemptFrom)} after the last`,
  `a heartbeat after ${seconds(lease / numberAfter(`${worker}/context/limited-stores.ts`, 'createPortLimit(clock, lease / '))} and any other after ${(3 * lease) / 4 / second}`,
  `given up after ${seconds((3 * lease) / 4)}, a heartbeat after ${lease / 4 / second} (`,
  `after ${lease / 4 / second} to ${seconds((3 * lease) / 4)}, whatever the pool`,
  `next heartbeat, within ${seconds(heartbeat)}`,
  `hands its accounts over | at once | within ${seconds(heartbeat)}`,
  `notices within ${seconds(heartbeat)} that workers came`,
  `storage refuses for ${seconds(lease)}`,
  `every ${pollEvery} ms`,
  `within \`pollEvery\` (${pollEvery} ms)`,
  `after ${pollEvery} ms at most`,
  `looks for work, in milliseconds | ${pollEvery} |`,
  `in milliseconds | ${grouped(pruneEvery)} |`,
  `once ${minutes(pruneEvery).replace('1', 'a')} (\`pruneEvery\`)`,
  `in batches of ${constantOf(`${worker}/steps/prune.ts`, 'pieceSize') === 1_000 ? 'a thousand' : '?'} rows`,
  `attempts in flight | ${concurrency} |`,
  `A worker has ${concurrency} slots`,
  `${perAccount} by default, and ${perEndpoint} for each endpoint`,
  `attempts in flight of a worker | ${concurrency} |`,
  `attempts in flight of an endpoint | ${perEndpoint} |`,
  `attempts in flight of one endpoint | ${perEndpoint} |`,
  `at most ${perEndpoint} attempts at once`,
  `at most ${perEndpoint} slots, once`,
  `from a quarter of the slots on (${perAccount} accounts by default)`,
  `An account has at most ${endpoints} endpoints`,
  `The account has ${endpoints} endpoints already`,
  `webhook endpoints per account | ${endpoints} |`,
  // Dispatch and memory
  `takes at most ${page} events`,
  `the next page of ${page} events while fewer than ${lowReady} deliveries`,
  `fills memory: ${grouped(inMemory)} deliveries, and at least ${page} of one dispatch`,
  `until ${grouped(inMemory)} deliveries wait`,
  `deliveries of an endpoint in memory | ${grouped(perEndpointInMemory)};`,
  `one endpoint, ${grouped(perEndpointInMemory)} deliveries`,
  `those above ${grouped(perEndpointInMemory)} of an endpoint`,
  `waited in memory for ${seconds(constantOf(`${worker}/memory/overflow.ts`, 'maxWait'))}`,
  `more than ${seconds(ahead)} ahead`,
  `up to ${seconds(ahead)} ahead**`,
  `at most once in ${constantOf('postgres/src/waking/waker.ts', 'interval')} ms for each shard`,
  `looks again for ${watched} ms`,
  `stays open for ${watched} ms after`,
  // Attempts
  `status within ${seconds(deadline)} confirms`,
  `the same ${seconds(deadline)}.`,
  `until the receiver answers, ${seconds(deadline)} at most`,
  `attempts in flight, ${seconds(deadline)} at most`,
  `wait for theirs, ${seconds(deadline)} at most`,
  `if receivers answer, ${seconds(deadline)} if one does not`,
  `at most about ${seconds(deadline)}, then hands`,
  `⌉ + 1) × ${seconds(deadline)}`,
  `occupies one slot for ${seconds(deadline)}`,
  `any 2xx within ${seconds(deadline)}`,
  `Work of more than ${seconds(deadline)}`,
  `attempts in flight (${seconds(deadline)} or a little more)`,
  `headers came within ${seconds(deadline)}`,
  `waits ${seconds(deadline)} for the answer`,
  `${size(bodyBytes)} of the body for at most ${seconds(bodyTime)}`,
  `for at most ${seconds(bodyTime)} or ${size(bodyBytes)}. Their headers have at most ${size(headerBytes)}`,
  `up to ${size(bodyBytes)}, for at most ${seconds(bodyTime)}`,
  `up to ${size(bodyBytes)} of the response`,
  `up to ${size(bodyBytes)} of answers`,
  `deadlines, ${size(bodyBytes)}, no decompression`,
  `headers exceed ${size(headerBytes)}`,
  `is ${size(maxBodyBytes)}. Publish an id`,
  `would exceed ${size(maxBodyBytes)}`,
  `would exceed **${size(maxBodyBytes)}**`,
  `writes more than ${size(maxBodyBytes)}`,
  `of events to ${size(maxBodyBytes)}`,
  `sockets are reused for ${seconds(constantOf('node/src/sender/guarded-agent.ts', 'idleTime'))}`,
  `When AAAA is ${constantOf('node/src/sender/dns-lookup.ts', 'resolutionDelay')} ms late`,
  // Retries
  `a delivery has ${maxAttempts} attempts`,
  `[${maxAttempts} in ${inDays}]`,
  `retries | ${maxAttempts} attempts, given delays`,
  `disabled after ${disableAfter.failing / day} days] | [`,
  `up to ${attempts} attempts`,
  `after ${attempts} attempts in ${inDays}`,
  `[${attempts} attempts in ${inDays}]`,
  `about ${inDays} after the first attempt`,
  `retries go on for [${inDays}]`,
  `time limits and ${maxAttempts} attempts`,
  `| ${attempts[0].toUpperCase()}${attempts.slice(1)} attempts failed`,
  `given up after ${attempts} attempts in ${seconds(development)}`,
  `| delay | ${retrySchedule.map(short).join(' | ')} |`,
  `the event again after ${retrySchedule.slice(0, 3).map(short).join(', ')}, …`,
  `[after ${seconds(first)} to ${hours(last)}]`,
  `[${seconds(first)} to ${hours(last)}]`,
  `up to ${numberAfter(`${rules}/retry-policy.ts`, 'jitter / ')} percent`,
  `lengthen a delay, to ${hours(longestRetryAfter)} at most`,
  `for that time, ${hours(longestRetryAfter)} at most`,
  `for that time, at most ${hours(longestRetryAfter)}`,
  `by the breaker is longer than ${seconds(Math.max(...developmentPauses))}`,
  `each after at most ${seconds(Math.max(...developmentSchedule))}`,
  `retries after at most ${seconds(Math.max(...developmentSchedule))}`,
  `after ${failuresToOpen} failures in a row | each at most ${seconds(Math.max(...developmentPauses))} | [${pauses.join(', then ')} minutes]`,
  // Policies
  `at most ${maxRetries} delays, 30 days together`,
  `\`timeout\` of an attempt, in milliseconds | ${grouped(deadline)} | ${grouped(minTimeout)} to ${grouped(deadline)} |`,
  `until it is disabled, in milliseconds | ${disableAfter.failing / day} days |`,
  `how many attempts fail until then | ${disableAfter.failures} |`,
  // Failing endpoints
  `after ${ofDisabled}`,
  `| ${ofDisabled}, one exhausted delivery`,
  `failed for ${disableAfter.failing / day} days (\`failing\`)`,
  `disabled after ${word(disableAfter.failing / day)} days, even with a large backlog`,
  `${failuresToOpen} attempts in a row fail |`,
  `${failuresToOpen} attempts in a row failed`,
  `${word(failuresToOpen)} failed attempts in a row`,
  `no attempts for ${minutes(breakerPauses[0])} |`,
  // Children
  `does not answer within ${word(lookup / second)} seconds, it is called again ${seconds(again)} later`,
  `notices within ${word((lookup + parentKnownFor) / second)} seconds`,
  `at most ${seconds(lookup)} for it`,
  // Retention
  `or ${days(held)} pass`,
  `expires after ${days(held)} in \`held\``,
  `held deliveries | ${days(held)} |`,
  `held for ${days(held)}`,
  `${days(events)} of retention, ${days(held)} in \`held\`, ${Math.floor(whole / day)} days of retries`,
  `\`held_too_long\` (${days(held)})`,
  `deliveries and attempts | ${days(events)} |`,
  `keeps events (${days(events)})`,
  `kept for ${days(events)}`,
  `it was pruned (${days(events)}, \`webhooks.retention\`)`,
  `\`webhooks.retention.events\`, ${days(events)} by default`,
  `Entries are deleted after ${days(audit)} by default`,
  `idempotency keys of \`publish\` | ${days(keys)} |`,
  `idempotency keys of \`publish\`, kept for ${days(keys)}`,
  `and is kept for ${days(keys)}`,
  `${hours(constantOf('core/src/webhooks/feeds/pull-facts.ts', 'silentAfter'))} ago or longer`,
  `on ${word(constantOf('core/src/webhooks/log/push-facts.ts', 'days'))} of the ${word(constantOf('core/src/webhooks/log/push-facts.ts', 'of'))} days before`,
  `The newest ${constantOf('core/src/stores/rows/log/statistics.ts', 'maxRead').toLocaleString('en')} attempts of an account`,
  // Objects and their data
  `have at most ${word(constantOf('core/src/webhooks/catalogue/schema-shape.ts', 'deepest'))} levels`,
  `more than ${constantOf('core/src/webhooks/catalogue/projection.ts', 'deepestData')} levels`,
  `profile has up to ${word(constantOf('core/src/webhooks/signature/signature-scheme.ts', 'maxSignatures'))} signatures`,
  // Storages
  `looks every ${milliseconds(constantOf('mysql/src/storage.ts', 'pollMs'))}`,
  `other connections every ${milliseconds(constantOf('sqlite/src/storage.ts', 'pollMs'))}`,
  `for another writer; ${seconds(constantOf('sqlite/src/storage.ts', 'busyTimeoutMs'))}`,
  `\`busyTimeoutMs\` (${seconds(constantOf('sqlite/src/storage.ts', 'busyTimeoutMs'))})`,
  `waits for ${seconds(constantOf('postgres/src/drivers/pglite.ts', 'busyTimeoutMs'))} (\`busyTimeoutMs\`)`,
  `may take ${minutes(constantOf('postgres/src/drivers/prisma.ts', 'timeout'))}, and wait ${seconds(constantOf('postgres/src/drivers/prisma.ts', 'maxWait'))}`,
  `the first ${grouped(constantOf('postgres/src/log/count-backlog.ts', 'maxEndpoints'))} endpoints`,
  `Other filters read ${grouped(constantOf('postgres/src/log/list-deliveries.ts', 'maxOfObject'))} rows`,
];
