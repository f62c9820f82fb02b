type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The causes of an error, from the outside in, whichever names libraries have for them. */
const causesOf = (cause: unknown): readonly Fields[] => {
  const found: Fields[] = [];
  const walk = (value: unknown): void => {
    if (!isObject(value) || found.includes(value) || found.length > 10) return;
    found.push(value);
    for (const name of ['cause', 'driverError', 'meta', 'driverAdapterError']) walk(value[name]);
  };
  walk(cause);
  return found;
};

const errnoIn = (each: Fields): number | undefined => {
  const number = Number(each['errno'] ?? each['originalCode']);
  return Number.isInteger(number) && number > 0 ? number : undefined;
};

/** Values of a statement, which libraries quote with it. */
const withoutValues = (message: string): string => message.replaceAll(/x'[0-9a-f]*'/gi, "x'…'");

/** The error of a statement as the server tells it: libraries wrap it, and quote the statement with its values. */
export const serverError = (cause: unknown): unknown => {
  if (!isObject(cause) || typeof cause['message'] !== 'string') return cause;
  const causes = causesOf(cause);
  const server = causes.find((each) => errnoIn(each) !== undefined);
  const { sqlMessage, originalMessage, message } = server ?? {};
  const told = [sqlMessage, originalMessage, message, cause['message']].find((each) => typeof each === 'string');
  const errno = server && errnoIn(server);
  const code = causes.map((each) => each['code']).find((each) => typeof each === 'string');
  return Object.assign(new Error(withoutValues(told ?? '')), {
    ...(code === undefined ? {} : { code }),
    ...(errno === undefined ? {} : { errno }),
  });
};

/** The number of the server's error. */
export const errnoOf = (cause: unknown): number | undefined =>
  causesOf(cause)
    .map(errnoIn)
    .find((errno) => errno !== undefined);
