/**
 * The currencies of ISO 4217 that do not have two decimals, by their number. `Intl` follows the use of cash instead: it
 * would round forints and rupiahs. A test holds it to the table of the API.
 */
const others = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

/** The number of decimals of a currency. @internal */
export const decimalsOf = (currency: string): number =>
  Number(Object.entries(others).find(([, codes]) => codes.includes(currency))?.[0] ?? 2);
