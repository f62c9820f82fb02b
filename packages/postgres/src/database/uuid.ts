/** Whether a text has the form of core's ids. Others do not exist, and would be an error for the server. */
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/** Before every id. */
export const zero = '00000000-0000-0000-0000-000000000000';

/** After every id. */
export const afterAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
