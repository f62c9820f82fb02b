import { z } from 'zod';
import { documentation } from '#documentation';
import { present } from '../../base/fields/present.ts';

const pages = new WeakSet<z.ZodType>();

/** Whether {@link pageSchema} made a schema. */
export const isPageSchema = (schema: z.ZodType | undefined): boolean => schema !== undefined && pages.has(schema);

/** Schema of all items, without pages; its name is that of the items with `List`. */
export const listSchema = (item: z.ZodType) => {
  const name = documentation.get(item)?.name;
  return z.strictObject({ items: z.array(item) }).register(documentation, present({ name: name && `${name}List` }));
};

/** Schema of a page of items; its name is that of the items with `Page`. */
export const pageSchema = (item: z.ZodType) => {
  const name = documentation.get(item)?.name;
  const page = z
    .strictObject({
      items: z.array(item),
      next: z
        .string()
        .optional()
        .register(documentation, { description: 'Cursor of the next page, for `after`. Absent on the last page.' }),
    })
    .register(documentation, present({ name: name && `${name}Page` }));
  pages.add(page);
  return page;
};
