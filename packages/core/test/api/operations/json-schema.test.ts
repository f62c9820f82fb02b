import { expect, test } from 'vitest';
import { z } from 'zod';
import { createSchemaWriter } from '../../../src/api/operations/json-schema.ts';

test('one schema is closed as input and open as output, whichever is written first', () => {
  const open = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const closed = { ...open, additionalProperties: false };
  const orders = [['input', 'output', 'input'] as const, ['output', 'input', 'output'] as const];
  for (const order of orders) {
    const schema = z.strictObject({ id: z.string() });
    const { write } = createSchemaWriter();
    for (const direction of order)
      expect(write(schema, direction), direction).toEqual(direction === 'input' ? closed : open);
  }
});
