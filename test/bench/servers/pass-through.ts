import replyFrom from '@fastify/reply-from';
import { fastify } from 'fastify';

/** The least that a server in front of the core can do: hand each request on, and each answer back. */
const server = fastify();
server.register(replyFrom, { base: process.env.CORE_URL ?? '', undici: { connections: 64 } });
server.get('/health/ready', () => ({ status: 'ready' }));
server.get('/*', (request, reply) => reply.from(request.url));
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
