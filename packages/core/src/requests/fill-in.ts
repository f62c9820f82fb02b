import { err, ok, type Result } from 'neverthrow';
import { present } from './fields.ts';
import { type RequestMoney, readMoney } from './money.ts';
import type { CreateContext, RequestRecipient } from './record.ts';
import { type CommandRefusal, wrongFields } from './refusal.ts';

/** The values that a template gives to requests created from it. @internal */
export interface TemplateValues {
  /** The template's id. */
  readonly id: string;
  /** The default name. */
  readonly name: string;
  /** The default description. */
  readonly description?: string;
  /** The default amount. */
  readonly money?: RequestMoney;
}

/** What the command that creates a request knows beside the input. @internal */
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
  readonly reference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The reference and the metadata, where given. @internal */
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

/** The fields that {@link fillIn} reads; it copies the others. */
type Read = keyof NewRequest;
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
 * @internal
 */
export const fillIn = <I extends NewRequest>(
  amountField: string,
  decimal: number | undefined,
  input: I,
  template: TemplateValues | undefined,
): Result<Filled<I>, CommandRefusal> => {
  const {
    name: ownName,
    description: ownText,
    currency,
    recipient,
    templateId: _id,
    reference,
    metadata,
    ...own
  } = input;
  return readMoney(amountField, decimal, currency, template?.money?.currency).andThen((money) => {
    const name = ownName ?? template?.name;
    const description = ownText ?? template?.description;
    const sum = money ?? template?.money;
    const missing = [...(name === undefined ? ['name'] : []), ...(sum ? [] : [amountField])];
    if (name === undefined || !sum) return err(wrongFields(missing, 'missing, and no template gives it.'));
    const filled = {
      ...present({ name, description, ...own }),
      ...sum,
      recipient,
      ...(template ? { templateId: template.id } : {}),
      ...identified({ reference, metadata }),
    };
    // The rest of the input has no name, so the compiler loses it.
    return ok(filled as unknown as Filled<I>);
  });
};
