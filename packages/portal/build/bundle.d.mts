/** The modules of the element by their file name. `portal.js` is the first. */
export const bundle: Readonly<Record<string, string>> & { readonly 'portal.js': string };
/** Names these texts in their URLs. */
export const bundleHash: string;
