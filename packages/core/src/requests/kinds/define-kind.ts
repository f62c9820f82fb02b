import { z } from 'zod';
import { documentation } from '#documentation';
import type { Result } from '#result';
import { atLeastOne, emptyChange, notEmpty } from '../../base/fields/change.ts';
import { described, type Fields, type ShapeOf, type StoredFields, shapeOf } from '../../base/fields/field.ts';
import { secondsView, textView } from '../../base/fields/values.ts';
import { addFields } from '../../base/fields/view.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { toSeconds } from '../../base/runtime/time.ts';
import type { ObjectKind } from '../../base/signals/actor.ts';
import type { EventType, ObjectName } from '../../webhooks/catalogue/specification.ts';
import type { BooksRule, MoneyRule } from '../books/rules.ts';
import { identifiers, values } from '../fields/fields.ts';
import type { CommandContext, CreateContext, StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { DueRule } from './due-rule.ts';

/**
 * The rule of one command, as data.
 * @public
 */
export interface CommandRule<S extends string = string, N extends ObjectName = ObjectName> {
  /** Who gives it: `partner` over HTTP (the host may, too, in process), or `host` alone, in process. */
  readonly by: 'partner' | 'host';
  /** The states that allow it. Empty: the command creates the object. */
  readonly from: readonly S[];
  /** The state it leads to. Several: the input decides which. Absent: the state stays. */
  readonly to?: S | readonly S[];
  /** The state that it may lead to from a state, where the books decide. Every other state stays. @defaultValue none */
  readonly mayLead?: Readonly<Partial<Record<S, S>>>;
  /**
   * The fields that it may change in a state, by their paths, such as `recipient.email`. A state that is not named:
   * every field.
   * @defaultValue every field in every state
   */
  readonly only?: Readonly<Partial<Record<S, readonly string[]>>>;
  /** The type of the event that it publishes. */
  readonly event: EventType<N>;
  /** The code of its reason where the input has none. @defaultValue no reason */
  readonly reasonCode?: string;
  /** The rule that refuses it although the state allows it, in words. @defaultValue none */
  readonly unless?: string;
  /** The codes of that rule. @defaultValue none */
  readonly refuses?: readonly CommandRefusal['code'][];
  /** Cash-outs only: the states of the deposit that allow it. */
  readonly within?: readonly string[];
  /** Cash-outs only: the command of the deposit that follows by rule, where the deposit allows it. */
  readonly follows?: string;
  /** What it does, in a sentence. */
  readonly description: string;
}

/** What a command reads and changes. */
interface Inputs<I extends z.ZodType> {
  /** The schema of the input. */
  readonly input: I;
  /** The schema of the input for the OpenAPI document. Absent: `input`. */
  readonly body?: z.ZodType;
}

/** A command: its rule, its input, and what it changes beside the state. */
export interface Command<
  R extends StoredRequest = StoredRequest,
  I extends z.ZodType = z.ZodType,
  N extends ObjectName = ObjectName,
  X extends CommandContext = CommandContext,
> extends CommandRule<R['status'], N>,
    Inputs<I> {
  /** The money that it moves, before it changes the record. @defaultValue none */
  readonly money?: MoneyRule<R>;
  /** Whether it is given without a change, as a report again: without one, nothing is stored. @defaultValue stored */
  readonly skipsUnchanged?: boolean;
  /** Whether an object has what it is about. Otherwise it is not in the list of its commands. @defaultValue always */
  concerns?(current: R): boolean;
  /** What it is where the books say so: another state, event and reason. @defaultValue never */
  instead?(
    booked: R,
    context: X,
  ): (Required<Pick<CommandRule<R['status'], N>, 'event' | 'reasonCode'>> & { readonly to: R['status'] }) | undefined;
  /** Changes the record. Where `to` has several states, it also sets the state. Absent: nothing more changes. */
  apply?(current: R, input: z.output<I>, context: X): Result<R, CommandRefusal>;
}

/** The fields of a new object beside those of every object. */
type Made<R extends StoredRequest> = Omit<R, Exclude<keyof StoredRequest, 'reference' | 'metadata'>>;

/** The command that creates an object. */
export interface Create<
  R extends StoredRequest = StoredRequest,
  I extends z.ZodType = z.ZodType,
  N extends ObjectName = ObjectName,
  X extends CreateContext = CreateContext,
> extends Omit<CommandRule<R['status'], N>, 'from' | 'follows'>,
    Inputs<I> {
  /** The state of a new object. */
  readonly to: R['status'];
  /** Makes the fields of a new object. */
  make(input: z.output<I>, context: X): Result<Made<R>, CommandRefusal>;
}

/** The object that the objects of a kind belong to, and change with each command. */
export interface Parent<R extends StoredRequest = StoredRequest, P extends StoredRequest = StoredRequest> {
  /** The kind of the parent. */
  readonly kind: RequestKind<P>;
  /** The field with the id of the parent, in the record and in the input of `create`. */
  readonly field: string;
  /** The name of the object in events of the parent. */
  readonly eventField: string;
  /** Returns the parent with a changed or new object. */
  put(parent: P, child: R): P;
  /** Whether a command of the parent may follow by rule. */
  mayFollow(parent: P, command: string): boolean;
}

/** One kind of objects, as the code that serves it reads it. */
export interface RequestKind<R extends StoredRequest = StoredRequest> {
  /** The kind, as signals name it. */
  readonly object: ObjectKind;
  /** The `objectName` of its events. */
  readonly objectName: ObjectName;
  /** The name in the OpenAPI document: singular, in Pascal case. */
  readonly name: string;
  /** The path below the account. Objects are at `/:id`. */
  readonly path: string;
  /** The part of the API that API keys have rights on. */
  readonly part: 'requests' | 'templates' | 'cash_outs';
  /** All states. */
  readonly states: readonly R['status'][];
  /** The filters that only some lists have. */
  readonly filters: readonly ('recipientEmail' | 'templateId' | 'depositId')[];
  /** The commands that partners can give on many objects in one request. @defaultValue none */
  readonly batches?: readonly string[];
  /** The fields, `reference` and `metadata` last. */
  readonly fields: Fields;
  /** Maximum size of a stored object as JSON, without cash-outs, transactions and evidence. */
  readonly maxBytes: number;
  /** Whether the host has fields of its own, without which no object reaches its maximum size. */
  readonly isExtended?: boolean;
  /** The kind of the templates that `templateId` names. */
  readonly templates?: 'paymentTemplates' | 'depositTemplates';
  /** The object that these belong to. */
  readonly parent?: Parent<R>;
  /** The books of its objects. Absent: none. */
  readonly books?: BooksRule<R>;
  /** A new object as the partner sees it, without the fields of every kind, for the OpenAPI document. */
  readonly example: object;
  /** The command that creates an object. */
  readonly create: Create<R>;
  /** The commands on an object. */
  readonly commands: Readonly<Record<string, Command<R>>>;
  /** The commands that are given by rule when their time has come, by the name of the rule. @defaultValue none */
  readonly rules?: Readonly<Record<string, DueRule<R>>>;
  /** The states in which an object may wait for such a command. @defaultValue none */
  readonly waitsIn?: readonly R['status'][];
  /** Schema of the partner's view. */
  readonly view: z.ZodObject;
  /** The partner's view, over HTTP and in events. */
  show(record: R): { readonly id: string };
}

/** The stored record of a kind. */
export type RecordOf<F extends Fields, S extends string> = StoredRequest<S> & StoredFields<F>;
/** An input, as a caller gives it. */
export type InputOf<I extends z.ZodType> = { readonly [K in keyof Given<I>]: Given<I>[K] };
type Given<I extends z.ZodType> = NonNullable<z.input<I>>;
/** The input of each command. */
export type InputsOf<C extends Readonly<Record<string, { readonly input: z.ZodType }>>> = {
  readonly [K in keyof C]: { readonly [F in keyof Given<C[K]['input']>]: Given<C[K]['input']>[F] };
};

/** Types the commands of a kind. */
export const commandsOf = <
  R extends StoredRequest,
  N extends ObjectName,
  X extends CommandContext = CommandContext,
  Y extends CreateContext = CreateContext,
>() => ({
  /** A command on an object. */
  command: <I extends z.ZodType>(command: Command<R, I, N, X>): Command<R, I, N, X> => command,
  /** The command that creates one. */
  create: <I extends z.ZodType>(create: Create<R, I, N, Y>): Create<R, I, N, Y> => create,
});

/** Rules about several fields. */
export interface Rules {
  /** Reports what is wrong. */
  readonly check?: (fields: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx) => void;
  /** The rules that JSON Schema can state. */
  readonly keywords?: Readonly<Record<string, unknown>>;
}
/** Runs a check even when other fields are wrong, so that a response names every wrong field at once. */
const always = { when: ({ value }: { readonly value: unknown }) => isObject(value) };

/** The input that creates an object. */
export const inputOf = <F extends Fields>(fields: F, { check, keywords = {} }: Rules = {}) => {
  const input = z.strictObject(shapeOf(fields, 'created'));
  return (check ? input.superRefine(check, always) : input).register(documentation, { keywords });
};

/** The input that changes an object by RFC 7396. */
export const changeOf = <F extends Fields>(fields: F, { check, keywords }: Rules = {}) => {
  const input = z.strictObject(shapeOf(fields, 'changed')).refine(notEmpty, emptyChange);
  return (check ? input.superRefine(check, always) : input).register(documentation, {
    keywords: { ...atLeastOne, ...keywords },
  });
};

/** What a kind says of itself; its view follows from its fields. */
export interface Definition<R extends StoredRequest> extends Omit<RequestKind<R>, 'view' | 'show' | 'maxBytes'> {
  /** Maximum size of a stored object as JSON, without cash-outs, transactions and evidence. @defaultValue 128 KiB */
  readonly maxBytes?: number;
}

/** What follows from a definition. */
export interface Viewed<R extends StoredRequest, F extends Fields> extends Pick<RequestKind<R>, 'show' | 'maxBytes'> {
  /** Schema of the partner's view. */
  readonly view: z.ZodObject<z.core.util.Writeable<CommonView & ShapeOf<F, 'view'>>, z.core.$strip>;
}

const commonView = {
  id: textView('example_1'),
  organisationId: described(
    textView('account_1'),
    'The account that it belongs to: by its path, the object is read and changed.',
  ),
  reason: described(values.reason.view, 'Why the last command that names a reason was given.').optional(),
  createdAt: secondsView(),
  updatedAt: secondsView(),
};

type CommonView = typeof commonView & { readonly status: z.ZodString };

/** The fields of every kind come first. */
const viewOf = <F extends Fields>({
  fields,
  states,
}: {
  readonly fields: F;
  readonly states: readonly string[];
}): Viewed<StoredRequest, F>['view'] => {
  const own = shapeOf(fields, 'view');
  const { id, organisationId, ...common } = commonView;
  // Open, because it may gain states (specification §6.5).
  const status = described(textView(String(states[0])), `One of ${states.map((each) => `\`${each}\``).join(', ')}.`);
  const identifying = Object.entries(own).filter(([name]) => name in identifiers);
  const shape = { id, organisationId, status, ...Object.fromEntries(identifying), ...common, ...own };
  return z.object(shape as CommonView & ShapeOf<F, 'view'>);
};

/** 128 KiB. What later commands add still fits into an event of 256 KiB. */
const defaultBytes = 128 * 1_024;

/** Seconds since 1970 in examples: 2027-01-01T00:00:00Z. */
export const exampleTime = 1_798_761_600;
/** A new object of a kind as the partner sees it, without the host's own fields. */
export const exampleOf = ({ states: [status], example }: Pick<RequestKind, 'states' | 'example'>): object => ({
  ...{ id: 'example_1', organisationId: 'account_1', status },
  ...example,
  ...{ createdAt: exampleTime, updatedAt: exampleTime },
});

/** Defines one kind: its fields, states and commands. Whatever serves it follows from them. */
export const defineKind =
  <R extends StoredRequest>() =>
  <D extends Definition<R>>(definition: D): D & Viewed<R, D['fields']> => {
    const { fields, maxBytes = defaultBytes } = definition;
    const addShown = addFields(fields);
    return {
      ...definition,
      maxBytes,
      view: viewOf<D['fields']>(definition),
      show: (record) => {
        const { id, accountId: organisationId, status, reason } = record;
        const view = { id, organisationId, status };
        addShown(view, record);
        return Object.assign(view, reason && { reason }, {
          createdAt: toSeconds(record.createdAt),
          updatedAt: toSeconds(record.updatedAt),
        });
      },
    };
  };
