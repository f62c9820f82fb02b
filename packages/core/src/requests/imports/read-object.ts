import { z } from 'zod';
import { err, ok, type Result } from '#result';
import { derivedId } from '../../base/crypto/derived-id.ts';
import { type InvalidInput, invalidField, invalidInput, type WrongField } from '../../base/runtime/failure.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { once } from '../../base/runtime/once.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import type { Actor } from '../../base/signals/actor.ts';
import { specification } from '../../webhooks/catalogue/specification.ts';
import { addTransaction } from '../books/books.ts';
import type { WithTransactions } from '../books/transaction-fields.ts';
import { checkSize } from '../commands/object-size.ts';
import type { ReportedChargeback } from '../fields/chargeback.ts';
import { evidenceOfCase } from '../fields/evidence.ts';
import { values } from '../fields/fields.ts';
import type { RequestHistoryEntry } from '../fields/history.ts';
import type { RequestKind } from '../kinds/define-kind.ts';
import { objectKinds, type RequestKindName } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';
import { storableRule, unstorable } from '../record/unstorable.ts';
import type { StoredTransaction, TransactionObject } from '../stores/transaction-store.ts';
import { type Lines, maxLines } from './group-lines.ts';
import {
  commandName,
  fromOne,
  objectId,
  processorTime,
  storedActor,
  storedRecord,
  storedTime,
  transactionShape,
  word,
} from './stored-fields.ts';

/** An object of an import, with everything that is filled in. */
export interface Brought {
  readonly name: RequestKindName;
  readonly record: StoredRequest;
  readonly history: readonly RequestHistoryEntry[];
  readonly transactions: readonly StoredTransaction[];
}

/** How the objects of a kind are read. */
export interface Reading {
  readonly name: RequestKindName;
  /** The kind, with the host's own fields. */
  readonly kind: RequestKind;
  /** The host's own fields. */
  readonly extension: z.ZodObject | undefined;
  /** Returns the environment of an account. `undefined`: the directory does not know it. */
  environmentOf(accountId: string): Promise<string | undefined>;
}

const eventTypes = once(() => {
  const types = new Set(Object.values(specification).flatMap((each) => Object.keys(each)));
  return z.enum([...types], 'an event type of the specification.');
});
type EntryShape = { readonly [K in keyof Required<RequestHistoryEntry>]: z.ZodType };
const entry = once(() =>
  z.strictObject({
    version: fromOne(),
    step: z.int('0 or 1.').min(0, '0 or 1.').max(1, '0 or 1.'),
    at: storedTime(),
    command: commandName(),
    event: eventTypes(),
    status: word(),
    by: storedActor(),
    reason: values.reason.input.optional(),
    evidence: evidenceOfCase.optional(),
    chargeback: z
      .strictObject({
        processorReference: values.name.input,
        cashOutId: objectId().optional(),
        stage: word().optional(),
        reason: values.reason.input.optional(),
        respondBy: processorTime().nullable().optional(),
        reportedAt: processorTime().optional(),
      } satisfies { readonly [K in keyof Required<ReportedChargeback>]: z.ZodType })
      .optional(),
    cashOutId: objectId().optional(),
    transactionId: values.name.input.optional(),
  } satisfies EntryShape),
);

type TransactionShape = { readonly [K in keyof Required<StoredTransaction>]: z.ZodType };
const transaction = once(() =>
  z.strictObject({
    ...transactionShape(),
    outcome: values.reason.input.optional(),
    metadata: values.metadata.input.optional(),
    accountId: z.string(),
    environment: z.string(),
    object: z.string(),
    objectId: z.string(),
    number: fromOne(),
    isTimed: z.boolean('true or false.'),
  } satisfies TransactionShape),
);

/** The field of a line with the object. */
export const fieldOf = (name: RequestKindName): 'request' | 'template' =>
  name === 'paymentTemplates' || name === 'depositTemplates' ? 'template' : 'request';

const schemas = new Map<RequestKindName, z.ZodObject>();
/** Everything of an object but the fields of the host. */
const schemaOf = (name: RequestKindName): z.ZodObject => {
  const made =
    schemas.get(name) ??
    z.strictObject({
      // First: the object is filled in from them.
      history: z.array(entry()),
      transactions: z.array(transaction()),
      [fieldOf(name)]: storedRecord(name),
    });
  schemas.set(name, made);
  return made;
};

type Fields = Readonly<Record<string, unknown>>;
const part = (fields: Fields, isTaken: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isTaken(name)));
/** Adds the fields that are absent. */
const completed = (given: Fields, defaults: Fields): Fields => ({
  ...given,
  ...part(defaults, (name) => defaults[name] !== undefined && !Object.hasOwn(given, name)),
});
const objectIn = (line: unknown, field: string): Fields => {
  const found = isObject(line) ? line[field] : undefined;
  return isObject(found) ? found : {};
};

const host: Actor = { type: 'host' };
const hasTransactions = (object: string): object is TransactionObject =>
  object === 'RequestPayment' || object === 'RequestSecurityDeposit';

/** The object with everything that is filled in, as it is then checked. */
const fillIn = (name: RequestKindName, { line, history, transactions }: Lines, environment: string) => {
  const given = objectIn(line, fieldOf(name));
  const entries = history.map((each) => objectIn(each, 'entry'));
  const { version = 1, at = given['createdAt'], by = host } = entries.at(-1) ?? {};
  const record = completed(given, {
    ...{ environment, createdBy: host, updatedBy: by, updatedAt: at, version },
    ...(name === 'deposits' ? { cashOuts: [] } : {}),
  });
  const { id: ownId, accountId } = record;
  const owner = { accountId, environment, object: objectKinds[name], objectId: ownId };
  const numbers = new Map<string, number>();
  const filled = transactions.map((each, index) => {
    const one = objectIn(each, 'transaction');
    const key = JSON.stringify([one['kind'], one['processorReference'] ?? index]);
    const number = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, number);
    const id = derivedId('transaction', objectKinds[name], String(ownId), key, number);
    return completed(one, { id, ...owner, number, isTimed: true });
  });
  return { record, entries, transactions: filled, owner };
};
type Filled = ReturnType<typeof fillIn>;

/** The wrong fields, each by its own schema. */
const wrongFields = (
  { name, extension }: Reading,
  { record, entries, transactions }: Filled,
): readonly WrongField[] => {
  const field = fieldOf(name);
  const isOwn = (key: string): boolean => extension !== undefined && Object.hasOwn(extension.shape, key);
  const own = { [field]: part(record, isOwn) };
  const base = readInput(schemaOf(name), {
    [field]: part(record, (key) => !isOwn(key)),
    history: entries,
    transactions,
  });
  const ofHost = extension ? readInput(z.object({ [field]: extension }), own) : ok({});
  return [
    ...(base.isErr() ? base.error.errors : []),
    ...(ofHost.isErr() ? ofHost.error.errors : []),
    ...unstorable(own).map((path) => ({ pointer: `/${path.join('/')}`, detail: storableRule })),
  ];
};

/** The rules that hold between the fields of an object, its history and its transactions. */
const brokenRules = (name: RequestKindName, { line, history }: Lines, filled: Filled): readonly WrongField[] => {
  const { record, entries, transactions, owner } = filled;
  const field = fieldOf(name);
  const wrong: WrongField[] = [];
  const must = (holds: boolean, pointer: string, detail: string): void => {
    if (!holds) wrong.push({ pointer, detail });
  };
  must(isObject(line) && record['environment'] === owner.environment, `/${field}/environment`, 'that of its account.');
  const positions = entries.map(({ version, step }) => [Number(version), Number(step)] as const);
  for (const [index, each] of history.entries()) {
    const { object = owner.object, objectId: of = owner.objectId } = each as Fields;
    must(object === owner.object && of === owner.objectId, `/history/${index}`, 'of the object whose line came last.');
    const [version, step] = positions[index] ?? [0, 0];
    const [before, stepBefore] = positions[index - 1] ?? [0, 0];
    const isLater = version > before || (version === before && step > stepBefore);
    must(isLater, `/history/${index}/version`, 'later than the entry before: by version, then step.');
  }
  const last = positions.at(-1)?.[0];
  must(last === undefined || last === record['version'], `/${field}/version`, 'that of the last history entry.');
  for (const [index, each] of transactions.entries())
    for (const [key, value] of Object.entries(owner))
      must(each[key] === value, `/transactions/${index}/${key}`, 'that of the object whose line came last.');
  const { transactionCount: count } = record;
  must(
    count === undefined ? record['sums'] === undefined || transactions.length === 0 : count === transactions.length,
    `/${field}/transactionCount`,
    `the number of its transactions, which follow it: ${transactions.length}.`,
  );
  must(
    hasTransactions(owner.object) || transactions.length === 0,
    '/transactions',
    'absent: those of a cash-out follow its deposit.',
  );
  return wrong;
};

/** An object with the sums and summaries of its transactions, where it has none of its own. */
const booked = (
  { books: rule }: RequestKind,
  record: StoredRequest,
  rows: readonly StoredTransaction[],
): StoredRequest => {
  const { sums, transactions, transactionCount } = record as StoredRequest & WithTransactions;
  if (!rule || rows.length === 0 || sums || transactions || transactionCount !== undefined) return record;
  let books = { ...rule.read(record), sums: {} };
  let after = record;
  for (const row of rows) {
    const { accountId: _a, environment: _e, object: _o, objectId: _i, number: _n, isTimed: _t, ...transaction } = row;
    const { currency } = record as StoredRequest & { readonly currency: string };
    if (transaction.currency === currency) books = addTransaction(books, transaction).books;
    after = rule.write(after, books.sums, { transaction, isNamed: true });
  }
  return after;
};

/** The size of what `create` and `change` determine; what other commands add is never refused. */
const sizeProblem = (kind: RequestKind, name: RequestKindName, record: StoredRequest): readonly WrongField[] => {
  const isCounted = (key: string): boolean => kind.fields[key] === undefined || kind.fields[key].created !== undefined;
  const sized = checkSize(kind, part({ ...record }, isCounted) as unknown as StoredRequest);
  return sized.isErr() ? [{ pointer: `/${fieldOf(name)}`, detail: sized.error.message }] : [];
};

/** Reads an object with its history and its transactions. The refusal points at each wrong field. */
export const readObject = async (reading: Reading, lines: Lines): Promise<Result<Brought, InvalidInput>> => {
  const { name, kind } = reading;
  const field = fieldOf(name);
  const { accountId } = objectIn(lines.line, field);
  if (lines.isTooLong) return err(invalidField('', `at most ${maxLines} lines of history and transactions.`));
  const environment = typeof accountId === 'string' ? await reading.environmentOf(accountId) : '';
  if (environment === undefined)
    return err(invalidField(`${field}/accountId`, 'accounts.find knows no account of this id.'));
  const filled = fillIn(name, lines, environment);
  const refused = ([first, ...more]: readonly WrongField[]) => first && err(invalidInput(first, ...more.slice(0, 31)));
  const malformed = refused(wrongFields(reading, filled)) ?? refused(brokenRules(name, lines, filled));
  if (malformed) return malformed;
  // The schemas have checked each of them.
  const transactions = filled.transactions as unknown as readonly StoredTransaction[];
  const history = filled.entries as unknown as readonly RequestHistoryEntry[];
  const record = booked(kind, filled.record as unknown as StoredRequest, transactions);
  return refused(sizeProblem(kind, name, record)) ?? ok({ name, record, history, transactions });
};
