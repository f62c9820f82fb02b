import { err, ok, type Result } from 'neverthrow';
import { present } from './fields.ts';
import { type Money, readMoney } from './money.ts';
import type { Recipient, RequestFields } from './record.ts';
import { type Refusal, wrongFields } from './refusal.ts';

/** The values that a template gives to requests created from it. @internal */
export interface Defaults {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly money?: Money;
}

/** The fields of a new request, without its amount. @internal */
export interface NewRequest {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly currency?: string | undefined;
  readonly recipient: Recipient;
  readonly dueDate?: string | undefined;
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

/**
 * The fields of a new request: its own, else its template's. Values are copied: a later change of the template has no
 * effect.
 * @internal
 */
export const fillIn = (
  amountField: string,
  input: NewRequest,
  decimal: number | undefined,
  template: Defaults | undefined,
): Result<RequestFields, Refusal> =>
  readMoney(amountField, decimal, input.currency, template?.money?.currency).andThen((money) => {
    const name = input.name ?? template?.name;
    const sum = money ?? template?.money;
    const missing = [...(name === undefined ? ['name'] : []), ...(sum ? [] : [amountField])];
    if (name === undefined || !sum) return err(wrongFields(missing, 'missing, and no template gives it.'));
    const { recipient, dueDate } = input;
    const description = input.description ?? template?.description;
    return ok({
      name,
      ...present({ description, dueDate }),
      ...sum,
      recipient,
      ...(template ? { templateId: template.id } : {}),
      ...identified(input),
    } as RequestFields);
  });
