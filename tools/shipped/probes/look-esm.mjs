import { look } from './look.cjs';

await look(
  process.argv.slice(2),
  (specifier) => import(specifier),
  (specifier) => import.meta.resolve(specifier),
);
