/**
 * How the local search ranks: a page before a member of the API reference. It runs in the browser, so it refers to
 * nothing around it.
 */
export const searchOptions = {
  boostDocument: (id) => (id.includes('/reference/api/') ? 0.3 : 1),
};

/** Pages for contributors, and the generated tables of tests: users search for none of them. */
const unsearched = /^(docs\/(decisions|contributing)\/|docs\/reference\/(bad-input|standards)\.md|CONTRIBUTING\.md)/;

/** What the search indexes of a page. */
export const renderForSearch = (source, env, markdown) => {
  const html = markdown.render(source, env);
  return unsearched.test(env.relativePath) ? '' : html;
};
