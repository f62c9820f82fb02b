import type { z } from 'zod';
import { err, ok, type Result } from '#result';
import { unknownName } from '../../base/runtime/did-you-mean.ts';
import type { Failure } from '../../base/runtime/failure.ts';
import { ownMembers } from '../../base/runtime/own-members.ts';
import { isIdentifier, utf8Length } from '../../base/runtime/text.ts';
import type { ObjectDefinition } from '../catalogue/define-object.ts';
import { isUnsendable, project, type Selection } from '../catalogue/projection.ts';
import { wrongPair } from '../catalogue/wrong-pair.ts';
import { envelopeRest, envelopeText, maxBodyBytes, type OtherTexts, withOtherTexts } from '../envelope/envelope.ts';
import type { EnvelopeTemplate } from '../envelope/envelope-template.ts';
import { isUnwritable, type OtherEnvelope, UnwritableEvent, writeTemplate } from '../envelope/other-texts.ts';
import type { NewEvent } from './event.ts';
import { type InvalidEvent, invalidEvent, type WrongPart } from './invalid-event.ts';

/** Why an event was refused before it was stored. @public */
export type EventFailure =
  | InvalidEvent
  /** The webhook body would exceed 256 KiB. */
  | Failure<'too_large'>;

/** An event from untyped code. */
export interface RawEvent {
  readonly accountId: string;
  readonly objectName: string;
  readonly type: string;
  readonly data: unknown;
  readonly occurredAt?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

const invalid = (first: WrongPart, ...more: readonly WrongPart[]) => err(invalidEvent(first, ...more));
/** The fields of an event. The caller checks the place of `idempotencyKey`: the event or the options. */
const fields: readonly string[] = [
  'accountId',
  'objectName',
  'type',
  'data',
  'occurredAt',
  'idempotencyKey',
] satisfies (keyof RawEvent)[];
const identifierRule = '1 to 256 bytes of text without control characters.';
/** Has the length of every timestamp until the year 2286. */
const aTimestamp = 9_999_999_999;

const inData = ({ path, message }: z.core.$ZodIssue): WrongPart => ({ path: ['data', ...path], detail: message });

const parse = (definition: ObjectDefinition, data: unknown): Result<{ readonly id: string }, EventFailure> => {
  try {
    const parsed = definition.schema.safeParse(ownMembers(data));
    if (parsed.success) return ok(parsed.data);
    const [first, ...more] = parsed.error.issues.map(inData) as [WrongPart, ...WrongPart[]];
    return invalid(first, ...more);
  } catch {
    // zod throws on asynchronous schemas, and refinements of the host may throw.
    return invalid({ path: ['data'], detail: 'the schema threw; it must be synchronous.' });
  }
};

const cut = (selection: Selection, data: object): Result<object, EventFailure> => {
  try {
    return ok(project(data, selection));
  } catch (cause) {
    if (isUnsendable(cause)) return invalid({ path: ['data', ...cause.path], detail: cause.detail });
    throw cause;
  }
};

const noOthers: Result<OtherTexts, EventFailure> = ok({});

/**
 * Writes an event in further envelopes. One that no endpoint needs must not refuse what all accounts publish: an
 * optional one is left out, and written for each attempt instead.
 */
const writeEach = (
  { envelopes = [], onUnwritable }: Pick<Publishable, 'envelopes' | 'onUnwritable'>,
  { accountId, objectName, type }: Pick<RawEvent, 'accountId' | 'objectName' | 'type'>,
  data: object,
): Result<OtherTexts, EventFailure> => {
  if (envelopes.length === 0) return noOthers;
  const content = { accountId, objectName, type, data: JSON.stringify(data) };
  const texts: Record<string, EnvelopeTemplate> = {};
  for (const envelope of envelopes)
    try {
      texts[envelope.name] = writeTemplate(envelope, content);
    } catch (cause) {
      if (!isUnwritable(cause)) throw cause;
      const [code, message] = [cause.code, `${objectName}.${type}: ${cause.message}`];
      if (envelope.isOptional !== true)
        return err(
          code === 'too_large' ? { code, message } : { ...invalidEvent({ path: ['data'], detail: message }), message },
        );
      onUnwritable?.(new UnwritableEvent(message, { cause: cause.cause, code }));
    }
  return ok(texts);
};

const problemOf = (event: RawEvent): WrongPart | undefined => {
  if (typeof event !== 'object' || event === null)
    return { path: [], detail: 'an object with accountId, objectName, type and data.' };
  const unknown = unknownName('field', event, fields);
  if (unknown !== undefined) return { path: [], detail: unknown };
  if (!isIdentifier(event.accountId)) return { path: ['accountId'], detail: identifierRule };
  if (event.occurredAt !== undefined && !(Number.isSafeInteger(event.occurredAt) && event.occurredAt >= 0))
    return { path: ['occurredAt'], detail: 'milliseconds since 1970, a whole number.' };
  return event.idempotencyKey === undefined || isIdentifier(event.idempotencyKey)
    ? undefined
    : { path: ['idempotencyKey'], detail: identifierRule };
};

/** What a kit can publish. */
export interface Publishable {
  /** Envelopes to write beside the specification's. @defaultValue none */
  readonly envelopes?: readonly OtherEnvelope[];
  /** Called when an optional envelope cannot write an event. */
  readonly onUnwritable?: (cause: UnwritableEvent) => void;
  readonly definitions: ReadonlyMap<string, ObjectDefinition>;
}

/**
 * Checks an event against its definition, reduces `data` to what its type sends, and writes the envelope.
 * `publish` does this before it uses the transaction.
 */
export const prepareEvent = (
  { definitions, ...writing }: Publishable,
  event: RawEvent,
  id: string,
): Result<NewEvent, EventFailure> => {
  const problem = problemOf(event);
  if (problem !== undefined) return invalid(problem);
  const { accountId, objectName, type, occurredAt, idempotencyKey } = event;
  const definition = definitions.get(objectName);
  const selection = definition?.selections.get(type);
  if (!definition || !selection) return invalid(wrongPair(definitions, objectName, type));
  const parsed = parse(definition, event.data);
  if (parsed.isErr()) return err(parsed.error);
  const { id: objectId } = parsed.value;
  if (!isIdentifier(objectId)) return invalid({ path: ['data', 'id'], detail: identifierRule });
  const projected = cut(selection, parsed.value);
  if (projected.isErr()) return err(projected.error);
  const rest = envelopeRest(projected.value, objectName, type);
  const others = writeEach(writing, event, projected.value);
  if (others.isErr()) return err(others.error);
  const bytes = utf8Length(envelopeText(aTimestamp, rest));
  if (bytes > maxBodyBytes)
    return err({
      code: 'too_large' as const,
      message: `The body would have ${bytes} bytes; at most ${maxBodyBytes} are sent.`,
    });
  return ok({
    id,
    accountId,
    objectName,
    objectId,
    type,
    bodyTail: others === noOthers ? rest : withOtherTexts(rest, others.value),
    ...(occurredAt === undefined ? {} : { occurredAt }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
};
