import { registerHooks } from 'node:module';

// No option switches the counting of calls off. A module that counts nothing takes its place here.
const counter = new URL('./no-counter.ts', import.meta.url).href;
let isReplaced = false;
registerHooks({
  resolve: (specifier, context, next) => {
    if (!specifier.endsWith('/access/clients/count-calls.ts')) return next(specifier, context);
    isReplaced = true;
    return next(counter, context);
  },
});
await import('./kit.ts');
if (!isReplaced) throw new Error('The counter of calls is loaded from elsewhere.');
