import { z } from 'zod';

/**
 * What the OpenAPI document says of a schema. A registry of this module: with zod's global one, two copies of core
 * could not be loaded in one process.
 */
export const documentation = z.registry<{
  /**
   * The name below `components.schemas`. Absent: the schema is written in place. It is no `id`: zod 4.0 refuses one
   * that is taken, and each kit of a process names its schemas.
   */
  readonly name?: string | undefined;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /**
   * A value, or a function that makes it: the example of a body or an answer of this schema, and of those that have it.
   * The schema in the document lacks it. Absent fields that are required are filled with samples.
   */
  readonly example?: unknown;
  /** The JSON Schema in place of the one that zod writes, for texts that stand for other values. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** Keywords of JSON Schema beside those that zod writes, for rules that a function checks. */
  readonly keywords?: Readonly<Record<string, unknown>>;
}>();
