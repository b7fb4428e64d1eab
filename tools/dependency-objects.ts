// No object of dependencies has more than six members, inherited ones included (STYLE.md, "Shape"): an operation that
// needs more does several things. Checks the types that are named …Deps, …Dependencies or …Parts.
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { listSources, readWorkspaces, resolveImport, type Workspaces } from "./source-imports.ts";
import type {
  Directive,
  Statement,
  TSInterfaceDeclaration,
  TSType,
  TSTypeAliasDeclaration,
  TSTypeName,
} from "oxc-parser";

const root = path.dirname(import.meta.dirname);
const LIMIT = 6;
const NAME = /(?:Deps|Dependencies|Parts)$/;

type Declaration = TSInterfaceDeclaration | TSTypeAliasDeclaration;

/** A source file's types by name, and where the names come from that it imports. */
interface Module {
  readonly file: string;
  readonly types: ReadonlyMap<string, Declaration>;
  readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
}

/** Finds the module that a file imports by a specifier; undefined outside this repository. */
type FindModule = (file: string, specifier: string) => Module | undefined;

/** A dependency object that is too large, with the names of its members. */
export interface LargeObject {
  readonly name: string;
  readonly members: readonly string[];
}

/** Finds the dependency objects of a module that have too many members, in order. Refuses: never. */
export function findLargeObjects(module: Module, findModule: FindModule): readonly LargeObject[] {
  return [...module.types]
    .filter(([name]) => NAME.test(name))
    .map(([name, declared]) => ({ name, members: [...new Set(membersOf(declared, module, findModule))] }))
    .filter(({ members }) => members.length > LIMIT);
}

/** Reads the types and imports of a source. Refuses: never. */
export function readModule(file: string, text: string): Module {
  const types = new Map<string, Declaration>();
  const imports = new Map<string, { readonly from: string; readonly name: string }>();
  for (const statement of parseSync(file, text).program.body) {
    const declared = declaredIn(statement);
    if (declared !== undefined) types.set(declared.id.name, declared);
    if (statement.type !== "ImportDeclaration") continue;
    for (const specifier of statement.specifiers) {
      if (specifier.type !== "ImportSpecifier" || specifier.imported.type !== "Identifier") continue;
      imports.set(specifier.local.name, { from: statement.source.value, name: specifier.imported.name });
    }
  }
  return { file, types, imports };
}

function declaredIn(statement: Directive | Statement): Declaration | undefined {
  const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  const isType = declared?.type === "TSInterfaceDeclaration" || declared?.type === "TSTypeAliasDeclaration";
  return isType ? declared : undefined;
}

type Names = readonly string[];

function membersOf(declared: Declaration, module: Module, findModule: FindModule): Names {
  const ofType = (type: TSType): Names => {
    if (type.type === "TSTypeLiteral") return namesIn(type.members);
    if (type.type === "TSParenthesizedType") return ofType(type.typeAnnotation);
    if (type.type === "TSIntersectionType") return type.types.flatMap(ofType);
    if (type.type === "TSTypeReference") return ofReference(nameOf(type.typeName), type.typeArguments?.params ?? []);
    return [];
  };
  const ofReference = (name: string, parameters: readonly TSType[]): Names => {
    const [type, keys] = parameters;
    if (type !== undefined && /^(?:Readonly|Partial|Required)$/.test(name)) return ofType(type);
    if (type !== undefined && keys !== undefined && name === "Pick") return keysIn(keys);
    if (type !== undefined && keys !== undefined && name === "Omit") return without(ofType(type), keysIn(keys));
    const found = findType(name, module, findModule);
    return found === undefined ? [] : membersOf(found.declared, found.module, findModule);
  };
  const keysIn = (type: TSType): Names => {
    if (type.type === "TSLiteralType" && "value" in type.literal) return [String(type.literal.value)];
    if (type.type === "TSUnionType") return type.types.flatMap(keysIn);
    if (type.type === "TSTypeOperator" && type.operator === "keyof") return ofType(type.typeAnnotation);
    return [];
  };
  if (declared.type === "TSTypeAliasDeclaration") return ofType(declared.typeAnnotation);
  const inherited = declared.extends.flatMap(({ expression, typeArguments }) =>
    expression.type === "Identifier" ? ofReference(expression.name, typeArguments?.params ?? []) : [],
  );
  return [...inherited, ...namesIn(declared.body.body)];
}

function namesIn(members: TSInterfaceDeclaration["body"]["body"]): Names {
  return members.flatMap((member) => {
    if (!("key" in member)) return [];
    const { key } = member;
    if (key.type === "Identifier") return key.name;
    return key.type === "Literal" ? String(key.value) : [];
  });
}

function without(names: Names, left: Names): Names {
  return names.filter((name) => !left.includes(name));
}

function nameOf(name: TSTypeName): string {
  return name.type === "Identifier" ? name.name : "";
}

function findType(
  name: string,
  module: Module,
  findModule: FindModule,
): { readonly declared: Declaration; readonly module: Module } | undefined {
  const declared = module.types.get(name);
  if (declared !== undefined) return { declared, module };
  const imported = module.imports.get(name);
  const from = imported && findModule(module.file, imported.from);
  return from && findType(imported.name, from, findModule);
}

function createFindModule(read: (file: string) => Module, workspaces: Workspaces): FindModule {
  return (file, specifier) => {
    const imported = resolveImport(file, specifier, workspaces);
    return imported.kind === "own" && imported.file.endsWith(".ts") ? read(imported.file) : undefined;
  };
}

function main(): void {
  const modules = new Map<string, Module>();
  const read = (file: string): Module => {
    const module = modules.get(file) ?? readModule(file, readFileSync(path.join(root, file), "utf8"));
    modules.set(file, module);
    return module;
  };
  const findModule = createFindModule(read, readWorkspaces(root));
  for (const file of listSources(root).filter((one) => one.endsWith(".ts"))) {
    for (const { name, members } of findLargeObjects(read(file), findModule)) {
      console.log(
        `${file}: ${name} has ${members.length} members (${members.join(", ")}); at most ${LIMIT} are allowed.`,
      );
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) main();
