/** Who reads only the beginning of what a command says, such as `head`, is not a fault of ours: it ends without a word. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
