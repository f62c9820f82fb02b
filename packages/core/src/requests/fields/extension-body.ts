import { z } from 'zod';
import { documentation } from '#documentation';
import { isSchemaOf } from '../../base/runtime/zod4.ts';

/** A schema without its wrappers that accept absence and `null`. */
const unwrapped = (schema: z.ZodType): z.ZodType =>
  isSchemaOf(schema, 'optional') || isSchemaOf(schema, 'nullable') || isSchemaOf(schema, 'default')
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

const changeOf = (field: z.ZodType): z.ZodType => {
  if (isSchemaOf(field, 'object')) return z.object(patchOf(field.shape));
  return isSchemaOf(field, 'record') ? z.record(field.keyType, z.nullable(field.valueType)) : field;
};

/** The fields of a change by RFC 7396: objects are merged, `null` removes what may be absent. */
export const patchOf = (shape: z.core.$ZodLooseShape): z.core.$ZodLooseShape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, given]) => {
      const field = given as z.ZodType;
      const mayBeNull = [undefined, null].some((value) => z.safeParse(field, value).success);
      const change = changeOf(unwrapped(field));
      return [key, mayBeNull ? change.nullish() : change.optional()];
    }),
  );

/** A schema with the host's own fields, and what the document says of the one without. */
export const bodyWith = (schema: z.ZodType, fields: z.core.$ZodLooseShape): z.ZodType =>
  z
    .strictObject({ ...(isSchemaOf(schema, 'object') ? schema.shape : {}), ...fields })
    .register(documentation, documentation.get(schema) ?? {});
