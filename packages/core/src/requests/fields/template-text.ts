import { err, ok, type Result } from '#result';
import { type CommandRefusal, wrongField, wrongFields } from '../record/refusal.ts';

/** `{{guest}}`: a letter, then letters, digits and `_`; at most 40 characters. */
const placeholder = /\{\{([A-Za-z]\w{0,39})\}\}/g;
const maxVariables = 20;

/** The names of the variables of texts, each once, in their order. */
export const variablesOf = (...texts: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(texts.flatMap((text = '') => [...text.matchAll(placeholder)].map(([, name = '']) => name))),
];

/** The rule of a text with variables, in words. */
export const templateTextRule = `a text in which {{ and }} only enclose names of variables, such as {{guest}}, at most ${maxVariables}.`;
/** Whether a text has only well-formed variables, and no further brace beside one. */
export const isTemplateText = (text: string): boolean =>
  !/\{\{|\}\}|\{\n\n|\n\n\}/.test(text.replaceAll('\n', ' ').replace(placeholder, '\n\n')) &&
  variablesOf(text).length <= maxVariables;

/** The texts of a template, and the schema of each when it is filled in. */
type Texts<K extends string> = Readonly<
  Record<K, { readonly text: string | undefined; isValid(filled: string): boolean }>
>;

/**
 * Fills in variables. Refuses a missing one, one that the template does not have, and a text that the values make too
 * long. `known`: the variables of the whole template, whether or not a request uses the text.
 */
export const fillTexts = <K extends string>(
  texts: Texts<K>,
  known: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Result<Readonly<Record<K, string | undefined>>, CommandRefusal> => {
  const values = new Map(Object.entries(given));
  const used = Object.values<Texts<K>[K]>(texts).map(({ text }) => text);
  const missing = variablesOf(...used).filter((name) => !values.has(name));
  const unknown = [...values.keys()].filter((name) => !known.includes(name));
  const pointers = (names: readonly string[]) => names.map((name) => `variables/${name}`);
  if (missing.length > 0) return err(wrongFields(pointers(missing), 'missing: the template needs it.'));
  if (unknown.length > 0) return err(wrongFields(pointers(unknown), 'no variable of the template.'));
  const filled = Object.entries<Texts<K>[K]>(texts).map(([field, { text, isValid }]) => {
    // One pass: a value that looks like a variable stays as it is.
    const result = text?.replace(placeholder, (_all, name: string) => values.get(name) ?? '');
    return { field, result, isWrong: result !== undefined && result !== text && !isValid(result) };
  });
  const wrong = filled.find(({ isWrong }) => isWrong);
  if (wrong)
    return err(wrongField('/variables', `values with which the ${wrong.field} of the template keeps its rule.`));
  return ok(Object.fromEntries(filled.map(({ field, result }) => [field, result])) as Record<K, string | undefined>);
};
