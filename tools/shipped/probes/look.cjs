const { createHook } = require('node:async_hooks');

/** What an import may not start. A pipe is only standard output, which somebody looked at. */
const kinds =
  /^(Timeout|Immediate|TCPWRAP|TCPSERVERWRAP|UDPWRAP|PROCESSWRAP|WORKER|MESSAGEPORT|FSEVENTWRAP|GETADDRINFOREQWRAP)$/;

/** TypeScript's helpers, which an old tslib behind the certificates of `testing` leaves. */
const helpers = /^__[a-z]\w+$/;

/** What the two module systems add of their own. */
const interop = ['default', 'module.exports', '__esModule'];

/** Loads each entry, and tells what it gave, what it started, and what it left among the globals. */
exports.look = async (specifiers, load, resolve) => {
  const found = [];
  for (const specifier of specifiers) {
    const globals = new Set(Object.getOwnPropertyNames(globalThis));
    const started = [];
    const hook = createHook({ init: (_id, kind) => kinds.test(kind) && started.push(kind) }).enable();
    try {
      const names = Object.keys(await load(specifier)).filter((name) => !interop.includes(name));
      const left = Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name) && !helpers.test(name));
      found.push({ specifier, file: resolve(specifier), names: names.sort(), started, left });
    } catch ({ code, message }) {
      const isRefused = message.endsWith(`; this is Node.js ${process.versions.node}.`);
      if (!isRefused && !/MODULE_NOT_FOUND$/.test(code)) throw new Error(`${specifier}: ${message}`);
      found.push({ specifier, [isRefused ? 'refused' : 'absent']: message });
    }
    hook.disable();
  }
  console.log(JSON.stringify(found));
};
