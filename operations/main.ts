// The image's program: `trail why …`, `status …`. Each tool loads only its own packages.
const tools: Readonly<Record<string, () => Promise<unknown>>> = {
  report: () => import('./report/main.js'),
  status: () => import('./status/main.js'),
  trail: () => import('./trail/main.js'),
};

const [node = '', program = '', name = '', ...words] = process.argv;
const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
if (tool === undefined) {
  console.error(`operations: say one of ${Object.keys(tools).join(', ')}, and its words; each has the option --help`);
  process.exitCode = 2;
} else {
  process.argv = [node, program, ...words];
  await tool();
}
