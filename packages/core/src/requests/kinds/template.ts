import { z } from 'zod';
import {
  hidden,
  kept,
  optional,
  required,
  setLater,
  shownAs,
  storedAs,
  type Value,
  value,
} from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { textView } from '../../base/fields/values.ts';
import { identifiers, values } from '../fields/fields.ts';
import { type RequestMoney, toDecimal } from '../fields/money.ts';
import { isTemplateText, templateTextRule, variablesOf } from '../fields/template-text.ts';
import { identified } from './fill-in.ts';

export const templateStates: readonly TemplateStatus[] = ['active', 'deleted'];
/** The states of a template. A deleted template is not stored. @public */
export type TemplateStatus = 'active' | 'deleted';

interface WithMoney {
  readonly money?: RequestMoney;
}

/** A text in which `{{guest}}` stands for a variable. */
const templateText = <V extends z.ZodType>({ input, view }: Value<z.ZodString, z.ZodString, V>, description: string) =>
  value(`${description} \`{{guest}}\` stands for the variable \`guest\` of a request.`, {
    input: input.refine(isTemplateText, templateTextRule),
    view,
  });
const daysRule = 'a whole number of days from 0 to 3650.';
const dueInDays = value('After how many days requests created from it are due, where they have no `dueDate`, in UTC.', {
  input: z.int(daysRule).min(0, daysRule).max(3_650, daysRule),
  view: z.int(),
});

interface WithTexts {
  readonly name: string;
  readonly description?: string;
}

/** The first fields of a template. */
export const templateFields = {
  name: required(
    templateText(values.name, 'Its name, and the default name of requests created from it: 1 to 256 bytes.'),
  ),
  description: optional(templateText(values.description, 'The default description: 1 to 500 characters.')),
  variables: storedAs<never>()(
    shownAs(
      setLater(
        value('The variables of `name` and `description`. Absent: none.', {
          input: z.custom<readonly string[]>(),
          view: z.array(textView('guest')),
        }),
      ),
      ({ name, description }: WithTexts) => {
        const names = variablesOf(name, description);
        return names.length > 0 ? names : undefined;
      },
    ),
  ),
  dueInDays: optional(dueInDays),
};
/** The default amount, under a name of each kind. */
export const templateAmount = storedAs<never>()(
  shownAs(kept(values.amount), ({ money }: WithMoney) => money && toDecimal(money)),
);
/** The last fields of a template. */
export const moreTemplateFields = {
  currency: storedAs<never>()(shownAs(kept(values.currency), ({ money }: WithMoney) => money?.currency)),
  money: hidden<RequestMoney | undefined>('The default amount. Absent: each request has its own.'),
  ...identifiers,
};

/** The fields of a new template. */
export const newTemplate = <
  I extends {
    readonly reference?: string | undefined;
    readonly metadata?: Readonly<Record<string, string>> | undefined;
  },
>(
  { reference, metadata, ...own }: I,
  money: RequestMoney | undefined,
) => ({ ...present(own), ...(money ? { money } : {}), ...identified({ reference, metadata }) });
