import type { ResultAsync } from '#result';
import type { Unavailable } from '../../../src/base/runtime/call-port.ts';
import type { StoredRequest } from '../../../src/requests/record/record.ts';
import type { CommandRefusal } from '../../../src/requests/record/refusal.ts';
import { alone, done, own, recipient, stranger, type World } from '../world.ts';
import { type Asked, type Currency, type Movement, minorUnits, type Processor, type Report } from './processor.ts';

type Requests = World['requests'];
export const accounts = [own, stranger] as const;
const second = 1_000;

export const accountOf = ({ account }: Asked): string => (accounts[account] as typeof own).id;
/** The decimal number of JSON: 12.34 EUR, 1.234 KWD, 12 JPY. */
const decimal = (minor: number, currency: Currency): number => Number((minor / minorUnits[currency]).toFixed(3));

/** A request of the platform, with the id that it has there. */
export interface Known extends Asked {
  readonly id: string;
}

/** Any command of either kind, as a report names it. */
type Perform = (
  accountId: string,
  id: string,
  command: never,
  options: never,
) => ResultAsync<StoredRequest, CommandRefusal | Unavailable>;

const perform = ({ payments, deposits }: Requests, request: Known, command: string, input: object) => {
  const give: Perform = request.of === 'payment' ? payments.perform : deposits.perform;
  return give(accountOf(request), request.id, command as never, { input, ...alone } as never);
};

const create = async (requests: Requests, asked: Asked): Promise<Known> => {
  const { payments, deposits } = requests;
  const { of, minor, currency } = asked;
  const common = { name: 'Stay', currency, recipient };
  const amount = decimal(minor, currency);
  const account = accountOf(asked);
  const { id } = await done<{ readonly id: string }>(
    of === 'payment'
      ? payments.create(account, { ...common, amount }, alone)
      : deposits.create(account, { ...common, depositAmount: amount }, alone),
  );
  const known = { ...asked, id };
  if (asked.isCancelled) await done(perform(requests, known, 'cancel', {}));
  return known;
};

/** The command that is meant for a movement, and the report that takes every one. */
const commandsFor = ({ of }: Asked, { kind, status }: Movement): readonly [string, string] => {
  if (status === 'failed') return ['failTransaction', 'failTransaction'];
  if (status === 'cancelled') return ['cancelTransaction', 'cancelTransaction'];
  if (kind === 'return') return ['returnTransaction', 'returnTransaction'];
  const report = 'succeedTransaction';
  if (of === 'payment' && (kind === 'charge' || kind === 'capture')) return ['succeed', report];
  if (of === 'deposit' && (kind === 'charge' || kind === 'authorisation')) return ['succeedDeposit', report];
  return [report, report];
};
const transactionOf = ({ movement, capturableUntil }: Report) => {
  if (!movement) return undefined;
  const { id, kind, minor, currency, fee, reference: processorReference, settledAt } = movement;
  return {
    ...{ kind, currency, processorReference, settledAt },
    amount: decimal(minor, currency),
    ...(fee > 0 ? { fee: decimal(fee, currency) } : {}),
    ...(capturableUntil === undefined ? {} : { capturableUntil }),
    metadata: { movement: id },
  };
};

/**
 * Gives each report to the platform as the guide teaches: the command that is meant for it; where that is refused, the
 * report, and then the command again. Returns the refusals of reports.
 */
const deliver = async (requests: Requests, request: Known, report: Report): Promise<readonly string[]> => {
  const give = (command: string, input: object) => perform(requests, request, command, input);
  const codes: string[] = [];
  const settle = async (command: string, input: object): Promise<boolean> => {
    const given = await give(command, input);
    if (given.isOk()) return true;
    codes.push(given.error.code);
    return false;
  };
  if (report.stage) {
    const { reference: processorReference, ...told } = report.stage;
    await settle('updateChargeback', { chargeback: { processorReference, ...told } });
    return codes;
  }
  const { movement } = report;
  if (!movement) return codes;
  const transaction = transactionOf(report);
  const [command, whatever] = commandsFor(request, movement);
  const isDone = await settle(command, { transaction });
  if (isDone || command === whatever) return codes;
  codes.length = 0;
  if (!(await settle(whatever, { transaction }))) return codes;
  // The report is stored: a command that is still refused is given again with a later message.
  return (await give(command, { transaction })).match(
    () => codes,
    () => codes,
  );
};

/** Two processes of one platform hear everything that a processor reports. Returns what was refused. */
export const hear = async (world: World, processor: Processor) => {
  const hosts = [world.requests, world.requestsOver({})] as const;
  const known: Known[] = [];
  for (const asked of processor.requests) known.push(await create(world.requests, asked));
  const refused: string[] = [];
  for (const { at, reports } of processor.rounds) {
    world.clock.set(at * second);
    const codes = await Promise.all(
      reports.map((report, nth) => deliver(hosts[nth % 2] as Requests, known[report.request] as Known, report)),
    );
    for (const [nth, each] of codes.entries())
      refused.push(...each.map((code) => `${code} ${JSON.stringify(reports[nth])}`));
  }
  return { known, refused };
};
