/**
 * On SIGUSR1 Node opens a debugger, through which any user of this machine could read and change everything. A listener
 * for the signal prevents that. The process loads this module first.
 */
process.on('SIGUSR1', () => undefined);
