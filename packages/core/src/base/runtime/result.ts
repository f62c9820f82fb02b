/**
 * `Result` of neverthrow, which is bundled into this module alone: its optional dependency is a native build of Rollup.
 */
export { err, errAsync, ok, okAsync, Result, ResultAsync, safeTry } from 'neverthrow';
