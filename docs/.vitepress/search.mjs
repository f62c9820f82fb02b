/**
 * How the local search ranks: a page before a member of the API reference, but first of all the function whose name was
 * typed, such as `createPartnerkit`. It runs in the browser, so it refers to nothing around it.
 */
export const searchOptions = {
  boostDocument: (id, term, { title = '' } = {}) => {
    if (!id.includes('/reference/api/')) return 1;
    const name = title.replace('()', '');
    // A name of one word, such as `Delivery`, is a word of the pages, too.
    const isNamed = /\/functions\//.test(id) && /^[a-z]+[A-Z]/.test(name) && name.toLowerCase() === term;
    return isNamed ? 50 : 0.3;
  },
};

/** Pages for contributors, and the generated tables of tests: users search for none of them. */
const unsearched = /^(docs\/(decisions|contributing)\/|docs\/reference\/(bad-input|standards)\.md|CONTRIBUTING\.md)/;

/** What the search indexes of a page. */
export const renderForSearch = (source, env, markdown) => {
  const html = markdown.render(source, env);
  return unsearched.test(env.relativePath) ? '' : html;
};
