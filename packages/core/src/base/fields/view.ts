import { z } from 'zod';
import { documentation } from '#documentation';
import { type Fields, type ShapeOf, seen, seenIf, shapeOf, shownAs } from './field.ts';

type Shown = Readonly<Record<string, unknown>>;

/** Adds what is shown of an object by its fields to a view, in one pass, and returns it: absent values are left out. */
export const addFields = (fields: Fields): ((view: object, record: object) => object) => {
  const shown = Object.entries(fields).filter(([, { view }]) => view !== undefined);
  return (view, record) => {
    for (const [name, { show }] of shown) {
      const value = show ? show(record, name) : (record as Shown)[name];
      if (value !== undefined) (view as Record<string, unknown>)[name] = value;
    }
    return view;
  };
};

/** What is shown of an object by its fields: each absent value is left out. */
const showFields = (fields: Fields): ((record: object) => Shown) => {
  const add = addFields(fields);
  return (record) => add({}, record) as Shown;
};

/** What is shown of an object: its schema, and the object by it. */
export interface View<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly show: (record: object) => Shown;
}

/** What the document says of a view. */
interface About {
  /** The name of its schema. Absent: it is written in place. */
  readonly name?: string;
  readonly description?: string;
  /** Such a view. @defaultValue a sample of what is required */
  readonly example?: object;
}

/** The view of the fields. */
export const viewOf = <F extends Fields>(
  fields: F,
  about: About = {},
): View<z.ZodObject<z.core.util.Writeable<ShapeOf<F, 'view'>>, z.core.$strict>> => ({
  schema: z.strictObject(shapeOf(fields, 'view')).register(documentation, about),
  show: showFields(fields),
});

/**
 * The view of objects of several kinds: the fields of each, by the value of `kind`.
 * @param meanings - What each kind means. @defaultValue its name says it
 */
export const viewOfKinds = <K extends string>(
  kinds: Readonly<Record<K, Fields>>,
  about: About = {},
  meanings: Partial<Readonly<Record<NoInfer<K>, string>>> = {},
): View => {
  const views = Object.entries<Fields>(kinds).map(
    ([kind, fields]) => [kind, viewOf({ kind: seen(z.literal(kind), meanings[kind as K]), ...fields })] as const,
  );
  const byKind = new Map(views);
  return {
    schema: z.union(views.map(([, { schema }]) => schema)).register(documentation, about),
    show: (record) => byKind.get((record as { readonly kind: string }).kind)?.show(record) ?? {},
  };
};

type Holder = Readonly<Record<string, object | undefined>>;
const showOne =
  ({ show }: View) =>
  (record: Holder, name: string) => {
    const value = record[name];
    return value && show(value);
  };

/** A field with a view of its own. */
export const one = <S extends z.ZodType>(view: View<S>, description = '') =>
  shownAs(seen(view.schema, description), showOne(view));

/** A field with a view of its own, which may be absent. */
export const oneIf = <S extends z.ZodType>(view: View<S>, description = '') =>
  shownAs(seenIf(view.schema, description), showOne(view));

/** A field with a list of views. */
export const many = <S extends z.ZodType>({ schema, show }: View<S>, description = '') =>
  shownAs(seen(z.array(schema), description), (record: Readonly<Record<string, readonly object[]>>, name) =>
    record[name]?.map(show),
  );
