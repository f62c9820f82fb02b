/** The text of the module. */
export const bundle: string;
/** Names this text in its URL. */
export const bundleHash: string;
