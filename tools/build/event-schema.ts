import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../src/persistence/package-root.js';

export type Schema = Readonly<Record<string, unknown>>;

/** Where the schema is kept, for readers of the trail in any language. */
export const schemaFile = join(packageRoot(), 'docs', 'trail-event.schema.json');

/**
 * The JSON Schema of a line of a segment, from the types in `src/trail/event.ts`: a definition for each kind of event, with the
 * members that the writer adds. It is open: a reader keeps members and kinds that it does not know.
 * @throws Error for a type that has no form in a line
 */
export function eventSchema(): Schema {
  const { checker, typeNamed } = typesOf(join(packageRoot(), 'src', 'trail', 'event.ts'));
  const written = checker.getPropertiesOfType(typeNamed('WrittenMembers'));
  const kinds = partsOf(typeNamed('AnyEvent'));
  const definitions = Object.fromEntries(
    [...kinds, typeNamed('TooLongEvent')].map((type) => {
      const members = new Map([...written, ...checker.getPropertiesOfType(type)].map((each) => [each.name, each]));
      const { symbol } = type;
      return [symbol.name, { ...descriptionOf(symbol, checker), ...objectOf([...members.values()], checker) }];
    }),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An event of the decision trail',
    description: 'One line of a segment: docs/operate/trail.md.',
    anyOf: Object.keys(definitions).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: definitions,
  };
}

function typesOf(file: string): { checker: ts.TypeChecker; typeNamed: (name: string) => ts.Type } {
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const exported = module === undefined ? [] : checker.getExportsOfModule(module);
  const typeNamed = (name: string): ts.Type => {
    const symbol = exported.find((each) => each.name === name);
    if (symbol === undefined) throw new Error(`${file} exports no type ${name}`);
    return checker.getDeclaredTypeOfSymbol(symbol);
  };
  return { checker, typeNamed };
}

function objectOf(members: readonly ts.Symbol[], checker: ts.TypeChecker): Schema {
  const isRequired = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Optional) === 0;
  return {
    type: 'object',
    required: members.filter(isRequired).map(({ name }) => name),
    properties: Object.fromEntries(
      members.map((member) => [
        member.name,
        { ...descriptionOf(member, checker), ...schemaOf(checker.getTypeOfSymbol(member), checker) },
      ]),
    ),
  };
}

function schemaOf(type: ts.Type, checker: ts.TypeChecker): Schema {
  // JSON leaves a member with the value undefined out.
  const parts = partsOf(type).filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
  const values = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  const others = parts.filter((part) => !part.isStringLiteral());
  if (others.length > 0 && others.every(({ flags }) => (flags & ts.TypeFlags.BooleanLiteral) !== 0))
    return others.length === 2 ? { type: 'boolean' } : { const: checker.typeToString(others[0] as ts.Type) === 'true' };
  const schemas = [
    ...(values.length === 1 ? [{ const: values[0] }] : []),
    ...(values.length > 1 ? [{ type: 'string', enum: values.sort() }] : []),
    ...others.map((part) => schemaOfPart(part, checker)),
  ];
  return schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas };
}

function schemaOfPart(type: ts.Type, checker: ts.TypeChecker): Schema {
  if (type.isNumberLiteral()) return { const: type.value };
  if ((type.flags & ts.TypeFlags.String) !== 0) return { type: 'string' };
  if ((type.flags & ts.TypeFlags.Number) !== 0) return { type: 'number' };
  if ((type.flags & ts.TypeFlags.TemplateLiteral) !== 0)
    return { type: 'string', pattern: `^${(type as ts.TemplateLiteralType).texts[0] ?? ''}` };
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return { type: 'array', items: schemaOf(item as ts.Type, checker) };
  }
  if ((type.flags & ts.TypeFlags.Object) !== 0) return objectOf(checker.getPropertiesOfType(type), checker);
  throw new Error(`the type ${checker.typeToString(type)} has no form in a line of the trail`);
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function descriptionOf(symbol: ts.Symbol, checker: ts.TypeChecker): Schema {
  const description = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll('\n', ' ');
  return description === '' ? {} : { description };
}
