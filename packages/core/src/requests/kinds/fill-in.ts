import type { z } from 'zod';
import { err, ok, type Result } from '#result';
import { present } from '../../base/fields/present.ts';
import { day, type EpochMs } from '../../base/runtime/time.ts';
import { values } from '../fields/fields.ts';
import { type RequestMoney, readMoney } from '../fields/money.ts';
import { fillTexts, variablesOf } from '../fields/template-text.ts';
import type { CreateContext, RequestRecipient } from '../record/record.ts';
import { type CommandRefusal, wrongField, wrongFields } from '../record/refusal.ts';

/** The values that a template gives to requests created from it. */
interface TemplateValues {
  /** The template's id. */
  readonly id: string;
  /** The default name. */
  readonly name: string;
  /** The default description. */
  readonly description?: string;
  /** The default amount. */
  readonly money?: RequestMoney;
  /** After how many days a request is due. */
  readonly dueInDays?: number;
  /** For how many days the guarantee of a deposit is proposed. */
  readonly guaranteedForDays?: number;
  /** For how many days cash-outs of a deposit are proposed. */
  readonly claimForDays?: number;
}

/** What the command that creates a request knows beside the input. */
export interface RequestContext extends CreateContext {
  /** The template that the input names. */
  readonly template: TemplateValues | undefined;
}

/** The input of a new request that a template may fill in, without its amount. */
interface NewRequest {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly currency?: string | undefined;
  readonly recipient: RequestRecipient;
  readonly templateId?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly dueDate?: string | undefined;
  readonly reference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The reference and the metadata, where given. */
export const identified = ({
  reference,
  metadata = {},
}: Pick<NewRequest, 'reference' | 'metadata'>): {
  reference?: string;
  metadata?: Readonly<Record<string, string>>;
} => ({
  ...(reference === undefined ? {} : { reference }),
  ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
});

/** The calendar date, in UTC, after the days of a template. */
const dueAfter = (template: TemplateValues | undefined, now: EpochMs): string | undefined => {
  const { dueInDays } = template ?? {};
  return dueInDays === undefined ? undefined : new Date(now + dueInDays * day).toISOString().slice(0, 10);
};
const accepts =
  (schema: z.ZodType) =>
  (text: string): boolean =>
    schema.safeParse(text).success;

/** Without a template. */
const noTexts: ReturnType<typeof fillTexts<'name' | 'description'>> = ok({ name: undefined, description: undefined });

/** The fields that {@link fillIn} reads; it copies the others. */
type Read = Exclude<keyof NewRequest, 'dueDate'>;
/** The fields of a new request. */
type Filled<I> = { readonly [K in Exclude<keyof I, Read>]: Exclude<I[K], undefined> } & RequestMoney & {
    readonly name: string;
    readonly description?: string;
    readonly recipient: RequestRecipient;
    readonly templateId?: string;
  } & ReturnType<typeof identified>;

/**
 * The fields of a new request: its own, else its template's. Values are copied: a later change of the template has no
 * effect.
 */
export const fillIn = <I extends NewRequest>(
  amountField: string,
  decimal: number | undefined,
  input: I,
  { template, now }: Pick<RequestContext, 'template' | 'now'>,
): Result<Filled<I>, CommandRefusal> => {
  const {
    name: ownName,
    description: ownText,
    currency,
    recipient,
    templateId: _id,
    variables,
    dueDate = dueAfter(template, now),
    reference,
    metadata,
    ...own
  } = input;
  if (variables && !template) return err(wrongField('/variables', 'goes together with templateId.'));
  const texts = template
    ? fillTexts(
        {
          name: { text: ownName === undefined ? template.name : undefined, isValid: accepts(values.name.input) },
          description: {
            text: ownText === undefined ? template.description : undefined,
            isValid: accepts(values.description.input),
          },
        },
        variablesOf(template.name, template.description),
        variables,
      )
    : noTexts;
  if (texts.isErr()) return err(texts.error);
  return readMoney(amountField, decimal, currency, template?.money?.currency).andThen((money) => {
    const name = ownName ?? texts.value.name;
    const description = ownText ?? texts.value.description;
    const sum = money ?? template?.money;
    const missing = [...(name === undefined ? ['name'] : []), ...(sum ? [] : [amountField])];
    if (name === undefined || !sum) return err(wrongFields(missing, 'missing, and no template gives it.'));
    const filled = {
      ...present({ name, description, ...own, dueDate }),
      ...sum,
      recipient,
      ...(template ? { templateId: template.id } : {}),
      ...identified({ reference, metadata }),
    };
    // The rest of the input has no name, so the compiler loses it.
    return ok(filled as Filled<I>);
  });
};
