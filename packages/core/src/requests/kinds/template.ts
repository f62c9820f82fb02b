import { hidden, kept, optional, required, saying, shownAs, storedAs } from '../field.ts';
import { identifiers, present, values } from '../fields.ts';
import { identified } from '../fill-in.ts';
import { type RequestMoney, toDecimal } from '../money.ts';

/** @internal */
export const templateStates: readonly TemplateStatus[] = ['active', 'deleted'];
/** The states of a template. A deleted template is not stored. @public */
export type TemplateStatus = 'active' | 'deleted';

interface WithMoney {
  readonly money?: RequestMoney;
}

/** The first fields of a template. @internal */
export const templateFields = {
  name: required(saying(values.name, 'Its name, and the default name of requests created from it: 1 to 256 bytes.')),
  description: optional(saying(values.description, 'The default description: 1 to 500 characters.')),
};
/** The default amount, under a name of each kind. @internal */
export const templateAmount = storedAs<never>()(
  shownAs(kept(values.amount), ({ money }: WithMoney) => money && toDecimal(money)),
);
/** The last fields of a template. @internal */
export const moreTemplateFields = {
  currency: storedAs<never>()(shownAs(kept(values.currency), ({ money }: WithMoney) => money?.currency)),
  money: hidden<RequestMoney | undefined>('The default amount. Absent: each request has its own.'),
  ...identifiers,
};

/** The fields of a new template. @internal */
export const newTemplate = <
  I extends {
    readonly reference?: string | undefined;
    readonly metadata?: Readonly<Record<string, string>> | undefined;
  },
>(
  { reference, metadata, ...own }: I,
  money: RequestMoney | undefined,
) => ({ ...present(own), ...(money ? { money } : {}), ...identified({ reference, metadata }) });
