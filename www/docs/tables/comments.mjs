// The comments of JavaScript sources, by TypeScript's compiler.
import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * The syntax tree of a JavaScript file.
 * @param {string} file
 */
export const parsed = (file) => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);

/**
 * The entries of `const <name> = { … }`, each with what the comment above it says: `{ name, says, default }`. `default` is the
 * comment's tag, if it has one.
 * @param {string} file
 * @param {string} name
 */
export function entriesOf(file, name) {
  const literal = [...nodes(parsed(file))].filter(ts.isVariableDeclaration).find((node) => node.name.getText() === name)?.initializer;
  if (!literal || !ts.isObjectLiteralExpression(literal)) throw new Error(`${file} has no object ${name}`);
  return literal.properties.filter(ts.isPropertyAssignment).map((entry) => ({ name: textOf(entry.name), ...commentOf(entry) }));
}

/**
 * The properties of `@typedef {object} <name>`, each with what it says.
 * @param {string} file
 * @param {string} name
 * @returns {{ name: string, says: string }[]}
 */
export function propertiesOf(file, name) {
  const typedef = [...nodes(parsed(file))].filter(ts.isJSDocTypedefTag).find((tag) => tag.name?.text === name)?.typeExpression;
  if (!typedef || !ts.isJSDocTypeLiteral(typedef) || !typedef.jsDocPropertyTags) throw new Error(`${file} has no type ${name}`);
  return typedef.jsDocPropertyTags.map((tag) => {
    // TypeScript ends a name at its hyphen.
    const [, rest = "", says = ""] = plain(tag.comment).match(/^((?:-\w+)*) ?(.*)$/) ?? [];
    return { name: tag.name.getText() + rest, says };
  });
}

/**
 * The keys of an object that is written out.
 * @param {ts.ObjectLiteralExpression} literal
 */
export const keysOf = (literal) => literal.properties.flatMap(({ name }) => (name ? [textOf(name)] : []));

/**
 * Every node of the tree.
 * @param {ts.Node} node
 * @returns {Generator<ts.Node>}
 */
export function* nodes(node) {
  yield node;
  for (const child of node.getChildren()) yield* nodes(child);
}

/** @param {ts.PropertyName} name */
const textOf = (name) => ("text" in name ? name.text : name.getText());

/** @param {ts.Node} node */
function commentOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node).slice(-1);
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === "default");
  return { says: plain(comment?.comment), default: tag && plain(tag.comment) };
}

/** @param {ts.JSDoc["comment"]} comment */
const plain = (comment) => (ts.getTextOfJSDocComment(comment) ?? "").replace(/\s+/g, " ").trim();
