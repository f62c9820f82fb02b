/**
 * The `Result` of neverthrow, under the name `#result`: each entry shares this file, and neverthrow is bundled into it.
 * Who installs neverthrow also installs a native build of Rollup, which it lists as an optional dependency.
 */
export { err, errAsync, ok, okAsync, Result, ResultAsync, safeTry } from 'neverthrow';
