// What an editor and the documents show of the package's types, name by name.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

/** The documents' release, because 7 has no settled API. */
const ts = createRequire(new URL("../../www/docs/package.json", import.meta.url))("typescript");

const PACKAGE = new URL("../../pkg/", import.meta.url);

const UNIT = /\bTHB\b|\bkg\b|degrees|Bytes|Milliseconds|multiplier|Units|Unix timestamp|[Cc]ode|\bid\b|[Ii]ndex|Length|hour|The number of/i;
const DEFAULT = /Default|Absent/;

const declarations = readdirSync(PACKAGE)
  .filter((file) => file.endsWith(".d.ts"))
  .flatMap((file) => declarationsOf(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)));

test("every exported name, field and function has a description", () => {
  assert.ok(declarations.length > 200, `${declarations.length} declarations`);
  assert.deepEqual(
    named(({ says }) => says.trim() === ""),
    [],
  );
});

test("every number states its unit or what it counts", () => {
  assert.deepEqual(
    named(({ node, says }) => holds(node, ts.SyntaxKind.NumberKeyword) && !UNIT.test(says)),
    [],
  );
});

test("every optional field states its default", () => {
  const isOptional = ({ node }) => ts.isPropertySignature(node) && node.questionToken !== undefined;
  assert.deepEqual(
    named((declaration) => isOptional(declaration) && !DEFAULT.test(declaration.says)),
    [],
  );
});

test("nothing is any", () => {
  assert.deepEqual(
    named(({ node }) => isAny(node)),
    [],
  );
});

test("the documents show what `useBasket` of Vue returns: nobody can write it", () => {
  const page = readFileSync(new URL("../../target/site/docs/reference/package/vue.md", import.meta.url), "utf8");
  const returned = read("vue.d.ts").match(/(?<=^export function useBasket\(.*\): ).*/gm);
  assert.deepEqual(returned, page.match(/(?<=^function useBasket\(.*\): ).*/gm));
  assert.match(returned[0], /^Readonly</);
});

function named(isFound) {
  return declarations.filter(isFound).map(({ name }) => name);
}

/** Every export, with its fields and with the members of its string unions. */
function declarationsOf(source) {
  const found = [];
  const visit = (node, path) => {
    const name = isDeclaration(node) ? [...path, node.name.getText(source)] : path;
    if (isDeclaration(node)) found.push({ name: `${source.fileName}: ${name.join(".")}`, node, says: comment(node) });
    if (isUnionOfTexts(node) && ts.isTypeAliasDeclaration(node.parent)) {
      for (const { text, says } of members(node, source)) {
        found.push({ name: `${source.fileName}: ${[...name, text].join(".")}`, node, says });
      }
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  source.statements.filter(isExported).forEach((statement) => visit(statement, []));
  return found;
}

function isExported(statement) {
  return ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.[0]?.kind === ts.SyntaxKind.ExportKeyword;
}

function isDeclaration(node) {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node)
  );
}

function isUnionOfTexts(node) {
  return ts.isUnionTypeNode(node) && node.types.every((type) => ts.isLiteralTypeNode(type));
}

/** The comment of a union member is the text before it. */
function members(union, source) {
  let end = union.getFullStart();
  return union.types.map((type) => {
    const says = source.text.slice(end, type.getStart(source)).replace(/[|/*]/g, "");
    ({ end } = type);
    return { text: type.getText(source), says };
  });
}

function comment(node) {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment))
    .join(" ");
}

function holds(node, kind) {
  return ts.isPropertySignature(node) && node.type.getText().split(/ \| /).includes(ts.tokenToString(kind));
}

function isAny(node) {
  return node.kind === ts.SyntaxKind.AnyKeyword || (ts.forEachChild(node, isAny) ?? false);
}

function read(file) {
  return readFileSync(new URL(file, PACKAGE), "utf8");
}
