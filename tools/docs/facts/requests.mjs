// What pages say of payment requests, deposits, cash-outs and their transactions.
import { hour, minute } from '../../../packages/core/src/base/runtime/time.ts';
import { maxTransactions } from '../../../packages/core/src/requests/books/transaction.ts';
import { maxMinor } from '../../../packages/core/src/requests/fields/money.ts';
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
} from '../constants.mjs';

const commandTimeout = constantOf('core/src/requests/requests.ts', 'onCommandTimeout');
const stored = constantOf('core/src/requests/kinds/define-kind.ts', 'defaultBytes');
const ofDeposit = constantOf('core/src/requests/kinds/deposit.ts', 'maxBytes');
const ofCashOut = constantOf('core/src/requests/kinds/cash-out.ts', 'maxBytes');
const cashOuts = constantOf('core/src/requests/kinds/cash-out.ts', 'maxCashOuts');
const items = constantOf('core/src/requests/http/batch-operation.ts', 'maxItems');
const batchBytes = constantOf('core/src/requests/http/batch-operation.ts', 'maxBodyBytes');
const evidence = constantOf('core/src/requests/fields/evidence.ts', 'maxEvidence');
const maxName = numberAfter('core/src/requests/fields/evidence.ts', 'name.length <= ');
const maxMediaType = numberAfter('core/src/requests/fields/evidence.ts', 'a media type of at most ');
const tries = constantOf('core/src/requests/commands/transact.ts', 'maxTries');

const lease = constantOf('core/src/requests/commands/give-due.ts', 'lease');
const pauses = listAfter('core/src/requests/commands/give-due.ts', 'const pauses');
/** `5 seconds, 30 seconds, …, 6 hours`: each in its unit. */
const inWords = pauses.slice(0, -1).map((pause) => (pause < minute ? seconds : pause < hour ? minutes : hours)(pause));

export const requests = [
  `another gives it ${minutes(lease).replace('1', 'a')} later`,
  `tried again after ${inWords.join(', ')}, then once ${days(pauses.at(-1)).replace('1', 'a')}`,
  `\`onCommandTimeout\` (${seconds(commandTimeout)} by default)`,
  `of each alone, in milliseconds | ${commandTimeout} |`,
  `\`createRequests\`, ${milliseconds(commandTimeout)} |`,
  `at most ${size(stored)} as JSON, a deposit ${size(ofDeposit)} and a cash-out ${size(ofCashOut)}`,
  `has at most ${cashOuts} cash-outs`,
  `the deposit has ${cashOuts} cash-outs`,
  `up to ${items} items`,
  `1 to ${items} items and at most ${size(batchBytes)}`,
  `at most ${evidence} references to files`,
  `at most ${maxName} and ${maxMediaType} characters`,
  `the latest ${evidence} references`,
  `its latest ${maxTransactions} transactions`,
  `the ${constantOf('core/src/requests/kinds/chargebacks.ts', 'maxChargebacks')} cases that were reported last`,
  `at most ${constantOf('core/src/requests/fields/fields.ts', 'maxPairs')} pairs, at most ${grouped(constantOf('core/src/requests/books/transaction-input.ts', 'maxMetadataBytes'))} bytes`,
  `at most ${String(maxMinor).length} digits`,
  `up to ${tries} times`,
  `came first, ${tries} times in a row`,
];
