// `npm run build` makes dist/ of all that is compiled; `npm run generate` makes the Prisma client alone.
import './supported-node.mjs';
import { build, generateClient } from './builder.mjs';

await (process.argv[2] === 'client' ? generateClient() : build());
