/**
 * Compiles each schema once in the life of the process. The routes share the schemas of their errors, and Fastify would
 * compile them again for each route and status, which is a sixth of the start.
 */
export function compiledOnce<Schema extends object, Compiled>(
  compile: (schema: Schema) => Compiled,
): (schema: Schema) => Compiled {
  const compiledSchemas = new WeakMap<Schema, Compiled>();
  return (schema) => {
    const compiled = compiledSchemas.get(schema) ?? compile(schema);
    compiledSchemas.set(schema, compiled);
    return compiled;
  };
}
