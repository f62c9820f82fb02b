/** Whether a change has a field. */
export const notEmpty = (input: object): boolean => Object.values(input).some((value) => value !== undefined);
/** The rule of `notEmpty`, in words. */
export const emptyChange = 'at least one field to change.';
/** The rule of `notEmpty`, for the OpenAPI document. */
export const atLeastOne = { minProperties: 1 } as const;
