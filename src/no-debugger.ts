/**
 * On SIGUSR1 Node opens a debugger, through which any user of this machine could read and change everything, unless
 * somebody listens to that signal. The first module of the process, so that no other comes before it.
 */
process.on('SIGUSR1', () => undefined);
