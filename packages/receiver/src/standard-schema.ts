/**
 * A schema that implements Standard Schema (version 1), such as one of zod, valibot or arktype.
 * @public
 */
export interface StandardSchema<Output = unknown> {
  /** The members of Standard Schema. */
  readonly '~standard': {
    /** Version of Standard Schema. */
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    /** Validates a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The types of the schema; absent at run time. */
    readonly types?:
      | {
          /** Type of the input. */
          readonly input: unknown;
          /** Type of the output. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** Result of a validation: the output, or the issues. @public */
export type StandardResult<Output> =
  | {
      /** The output of the schema. */
      readonly value: Output;
      /** Absent: the value is valid. */
      readonly issues?: undefined;
    }
  | {
      /** The issues of the value. */
      readonly issues: readonly StandardIssue[];
    };

/** An issue that a schema found. @public */
export interface StandardIssue {
  /** The problem. */
  readonly message: string;
  /** Where it is. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** Name of the property, or index in the array. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}

/** Output type of a schema. @public */
export type SchemaOutput<S> = S extends StandardSchema<infer Output> ? Output : never;
