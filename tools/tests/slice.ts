import { sized } from './effort.ts';

type Test = (name: string, run: () => Promise<void>) => void;

/** The rule of a case: what is left of its name without the path, or without what is wrong with a body. */
const ruleOf = (name: string): string => {
  const [, code] = /: (\d{3} \w+), and nothing is stored$/.exec(name) ?? [];
  const [method = ''] = name.split(' ', 1);
  return code === undefined ? name.replace(/^([A-Z]+) \/\S+/, '$1') : `${method} ${code}`;
};

/**
 * Passes on the first case of each rule and method, and in `npm run test:long` every case. For a framework: another
 * server runs every case in `npm test`, and that a framework passes a request on is proved by any.
 */
export const oneOfEachRule = (test: Test): Test => {
  const seen = new Set<string>();
  return (name, run) => {
    const rule = ruleOf(name);
    if (sized(!seen.has(rule), true)) test(name, run);
    seen.add(rule);
  };
};
