import { createRequire, setSourceMapsSupport } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { useGlobals } from './jest-globals.js';
import './typescript-loader.mjs';

const require = createRequire(import.meta.url);
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
// Jest ends a worker by no longer listening to it, and waits until nothing is left to do. Resources that the tests
// share stay open: the embedded database would keep the worker for ten seconds.
process.on('removeListener', (event) => {
  if (event === 'message' && process.listenerCount('message') === 0) process.exit();
});
let files = 0;

/**
 * Runs one test file as Jest's own runner does, only that Node loads the modules: once for each worker, where Jest would
 * load each of them again for every file, which took most of the time of all tests.
 */
export default async function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  // Jest's own mapping of positions knows the modules that Jest has loaded; Node's knows these.
  Error.prepareStackTrace = undefined;
  files++;
  const node = {
    requireInternalModule: (path) => {
      // It keeps its data about the tests of one file.
      delete require.cache[path];
      return require(path);
    },
    requireModule: require,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => import(`${pathToFileURL(path).href}?${files}`).catch(nameModule),
    setGlobalsForRuntime: (globals) => {
      Object.assign(globalThis, globals);
      useGlobals({ ...globals, jest: jestObject(environment) });
    },
    enterTestCode: () => runtime.enterTestCode(),
    leaveTestCode: () => runtime.leaveTestCode(),
  };
  try {
    return await circus.default(globalConfig, config, environment, node, testPath, sendMessageToJest);
  } finally {
    forget();
  }
}

/** Node calls the top of a module anonymous, and Jest leaves such lines out. */
function nameModule(error) {
  if (error instanceof Error) error.stack = error.stack.replace(/^( +at )<anonymous> /gm, '$1module ');
  throw error;
}

function jestObject({ moduleMocker, fakeTimersModern: timers }) {
  return {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    useFakeTimers: (options) => timers.useFakeTimers(options),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  };
}

/** The references that the library keeps to a file's tests, and with them to all that they hold. */
function forget() {
  for (const key of Object.getOwnPropertySymbols(globalThis))
    if (key.description === 'JEST_STATE_SYMBOL' || key === Symbol.for('EVENT_HANDLERS')) delete globalThis[key];
}
